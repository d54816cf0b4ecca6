# The keeper's part inside of a PID namespace, where the command's processes are all there is. One
# signal to -1 reaches every one of them at once, so that nothing can fork away.

# Sets `pids` to the processes besides the keeper's own.
scan() {
  pids=
  for dir in /proc/[0-9]*; do
    pid=${dir#/proc/}
    case $pid in 1|$main|$waiter) continue ;; esac
    read -r stat <"$dir/stat" || continue
    case ${stat##*) } in Z*|X*) continue ;; esac
    pids="$pids $pid"
  done
}

# Two equal numbers around an empty look: no process was started in between that it missed.
nothing_left() {
  for look in 1 2 3; do
    last_pid
    first=$last
    scan
    [ -n "$pids" ] && return 1
    last_pid
    [ -n "$last" ] && [ "$first" = "$last" ] && return 0
  done
  return 1
}

launch() (
  export LLMCMD_RUN_ID="$run_id"
  connect
  exec "$@"
)

finish() {
  kill -KILL -1
  # What was killed may still wait for its turn to end.
  read -r now rest </proc/uptime
  end=$((${now%.*} + 6))
  while :; do
    scan
    [ -z "$pids" ] && break
    read -r now rest </proc/uptime
    [ "${now%.*}" -ge "$end" ] && break
  done
  count=0
  for pid in $pids; do count=$((count + 1)); done
}
