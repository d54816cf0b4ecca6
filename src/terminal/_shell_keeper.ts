import { MARKS, START } from "./_shell_marks.ts";

/**
 * The part that both keepers in shell language share. They are POSIX shell, and use bash's
 * `read -t` where there is one. Arguments: shell, command, run id, mark.
 *
 * The main process waits for the end of its standard input and then kills everything; a subshell
 * runs the command in the foreground and reports its end. Both survive the signals that a command
 * sends to its own group (`kill 0`); handlers, unlike ignored signals, are not inherited.
 *
 * A part that differs defines `nothing_left` (whether it is sure that nothing is left of what the
 * command started), `finish` (kills all that and sets `count` to the number of those left, or to
 * `unknown`) and `launch` (runs the command).
 */
const BODY = String.raw`
main=$$
close_strays() {
  [ -n "$BASH_VERSION" ] || return 0
  for file in /proc/self/fd/*; do
    case \${file##*/} in [012]|\*) ;; *) eval "exec \${file##*/}>&-" ;; esac
  done
}
trap '' HUP INT QUIT PIPE TERM
echo ready >&3
(
  trap : HUP INT QUIT PIPE TERM
  launch "$@"
  code=$?
  exec >/dev/null
  read -r waiter rest </proc/self/stat
  if nothing_left; then
    echo "exit $code 0" >&3
    kill -KILL "$main"
  else
    echo "exit $code 1" >&3
  fi
) &
waiter=$!
exec >/dev/null
every=
case $BASH_VERSION in [4-9]*|[1-9][0-9]*) every='-t 2' ;; esac
while :; do
  read $every -r line
  [ $? -le 128 ] && break
  kill -0 "$waiter" && continue
  wait "$waiter" || break
  nothing_left && echo "dead 0" >&3 && exit 0
done
kill -STOP "$waiter"
finish
kill -KILL "$waiter"
wait "$waiter"
echo "dead $count" >&3
exit 0
`.replaceAll("\\$", "$");

/**
 * Keeper inside a PID namespace, where the command's processes are all there is. One signal to -1
 * reaches every one of them at once, so that nothing can fork away.
 */
export const NAMESPACE_KEEPER: string = START + String.raw`
scan() {
  pids=
  for dir in /proc/[0-9]*; do
    pid=\${dir#/proc/}
    case $pid in 1|$main|$waiter) continue ;; esac
    read -r stat <"$dir/stat" || continue
    case \${stat##*) } in Z*|X*) continue ;; esac
    pids="$pids $pid"
  done
}
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
  close_strays
  LLMCMD_RUN_ID=$3 exec "$1" -c "$2"
) </dev/null 2>&1 3>&-
finish() {
  kill -KILL -1
  # What was killed may still wait for its turn to end.
  read -r now rest </proc/uptime
  end=$((\${now%.*} + 6))
  while :; do
    scan
    [ -z "$pids" ] && break
    read -r now rest </proc/uptime
    [ "\${now%.*}" -ge "$end" ] && break
  done
  count=0
  for pid in $pids; do count=$((count + 1)); done
}
`.replaceAll("\\$", "$") + BODY;

/**
 * Keeper that finds the command's processes by their marks. The command gets a session of its own
 * where there is `setsid`, so that one signal reaches its whole group.
 */
export const MARKS_KEEPER: string = START + MARKS + String.raw`
session=
command -v setsid >/dev/null && session=setsid
launch() (
  close_strays
  [ -n "$4" ] && ulimit -S -m $(($4 / 1024))
  export LLMCMD_RUN_ID="$3"
  if [ -n "$session" ]; then exec setsid "$1" -c "$2"; else exec "$1" -c "$2"; fi
) </dev/null 2>&1 3>&-
` + BODY;

/** Kills what carries the marks (alternatives joined by `|`), for when a keeper was killed. */
export const MARKS_SWEEP: string = START + MARKS + 'finish\necho "dead $count" >&3\n';
