# The keeper's part inside a PID namespace that has no processes but the command's. One signal to
# -1 reaches all of them at once, so that none can fork away.

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

# If the last process id is the same before and after an empty look, no process was started in
# between.
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
  # Killed processes may need a moment to end.
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
