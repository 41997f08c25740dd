# Read by the client into the shell of each command, see `variables.of_commands`.
ccc_kept="${CCC_KEPT:-}"
# A document of ccc's in the memory of a process, see `claude/kept.py`, and no other file.
case "$ccc_kept" in *[!/0-9cdfopr]* | *..*) ccc_kept= ;; /proc/*/fd/*) ;; *) ccc_kept= ;; esac
if [ -n "$ccc_kept" ] && [ -r "$ccc_kept" ]; then . "$ccc_kept"; fi
if [ -n "${CCC_ENV_FILE:-}" ] && [ -f "$CCC_ENV_FILE" ]; then . "$CCC_ENV_FILE"; fi
ccc_name="${CCC_ENV_KEY:-}"
ccc_name="${ccc_name#CCC_KEY_}"
# Nothing but these characters comes into the eval.
case "$ccc_name" in *[!0123456789abcdef]*) ccc_name= ;; esac
eval "ccc_key=\${CCC_KEY_${ccc_name}:-}"
# With neither token nor key a claude would send the person's login to this address.
if [ -z "$ccc_key" ] && [ -n "${ANTHROPIC_BASE_URL:-}" ] && [ "${CCC_ENV_KEY:-}" != none ]; then
  ccc_key=ccc-has-no-key-for-this-address
fi
if [ -n "$ccc_key" ]; then
  export ANTHROPIC_AUTH_TOKEN="${ANTHROPIC_AUTH_TOKEN:-$ccc_key}" ANTHROPIC_API_KEY="${ANTHROPIC_API_KEY:-$ccc_key}"
fi
unset ccc_name ccc_key ccc_kept
