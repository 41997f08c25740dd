"""Does it work here? Doctor, self-test, demo, the scripted model, labelled cases."""
