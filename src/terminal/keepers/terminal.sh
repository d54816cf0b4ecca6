# Runs a program as the foreground job of the terminal, as a shell with job control does: it gets a
# process group of its own, which alone gets Ctrl+C. Afterwards the previous group is in the
# foreground again. POSIX shell. Arguments: run id and mark, which may be empty, and the program
# with its arguments. Only the job carries the marks, so that this shell survives when the job is
# killed.
#
# Ctrl+Z has no effect, because nothing could bring a stopped program back to the foreground. Bash
# finds the terminal by descriptor 2, which must stay as it is.

run_id=$1 mark=$2
shift 2

unset DENO_EXTRA_STDIO_FDS
run() {
  [ -n "$run_id" ] && export LLMCMD_RUN_ID="$run_id"
  [ -n "$mark" ] && ulimit -S -m $((mark / 1024))
  exec "$@"
}

trap '' TSTP
set -m
(run "$@")
exit $?
