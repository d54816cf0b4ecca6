# Runs the command with its marks: the limit on resident memory and the variable that marks.sh looks
# for. It gets a session of its own where there is `setsid`, so that one signal reaches its whole
# group.

session=
command -v setsid >/dev/null && session=setsid
launch() (
  close_strays
  [ -n "$4" ] && ulimit -S -m $(($4 / 1024))
  export LLMCMD_RUN_ID="$3"
  if [ -n "$session" ]; then exec setsid "$1" -c "$2"; else exec "$1" -c "$2"; fi
) </dev/null 2>&1 3>&-
