# Runs the command with its marks: the limit on resident memory and the variable that marks.sh
# looks for. It gets a session of its own if there is `setsid`, so that one signal reaches its
# whole group.

session=
command -v setsid >/dev/null && session=setsid
launch() (
  [ -n "$mark" ] && ulimit -S -m $((mark / 1024))
  export LLMCMD_RUN_ID="$run_id"
  connect
  exec $session "$@"
)
