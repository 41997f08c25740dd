# Read by the client into the shell of each command, see `variables.of_commands`.
if [ -n "${CCC_ENV_FILE:-}" ] && [ -f "$CCC_ENV_FILE" ]; then . "$CCC_ENV_FILE"; fi
eval "$(env | sed -n 's/^\(CCC_KEY_[0-9a-f]\{16\}\)=..*/ccc_key=$\1/p')"
if [ -n "${ccc_key:-}" ]; then
  export ANTHROPIC_AUTH_TOKEN="${ANTHROPIC_AUTH_TOKEN:-$ccc_key}" ANTHROPIC_API_KEY="${ANTHROPIC_API_KEY:-$ccc_key}"
  unset ccc_key
fi
