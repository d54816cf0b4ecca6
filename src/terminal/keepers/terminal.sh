# Runs a program as the foreground job of the terminal, as a shell with job control does: it gets a
# process group of its own, which alone gets Ctrl+C. Afterwards the terminal belongs again to who had
# it before. POSIX shell. Arguments: run id and mark, which may be empty, and the program with its
# arguments. Only the job carries them, so that this shell is still there when the job was killed.
#
# Ctrl+Z has no effect, because nobody could bring the stopped program to the foreground again. Bash
# finds the terminal by descriptor 2, which so has to stay what it is.

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
