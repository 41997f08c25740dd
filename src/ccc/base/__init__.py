"""What knows neither Claude nor ccc's subject."""
