/**
 * The part that both keepers in shell language share. They are POSIX shell, and use bash's
 * `read -t` where there is one. Arguments: shell, command, run id, mark.
 *
 * The main process waits for the end of its standard input and then kills everything; a subshell
 * runs the command in the foreground and reports its end. Both survive the signals that a command
 * sends to its own group (`kill 0`); handlers, unlike ignored signals, are not inherited.
 *
 * A part that differs defines `scan` (sets `pids` to the living processes that the command
 * started), `own` (how many processes a scan starts itself, rather too few than too many), `finish`
 * (kills them and sets `count` to the number of those left) and `launch` (runs the command).
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
  scan_surely 3
  if [ -z "$pids" ]; then
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
  scan_surely 3
  [ -z "$pids" ] && echo "dead 0" >&3 && exit 0
done
kill -STOP "$waiter"
finish
kill -KILL "$waiter"
echo "dead $count" >&3
exit 0
`.replaceAll("\\$", "$");

/**
 * `scan_surely` believes that there is nothing only when no process was started while it looked,
 * but for those of the scan itself: one that hands over to a child and ends could be missed. The
 * last field of /proc/loadavg is the last pid given away. On a busy machine it looks as often as
 * its argument says.
 */
const START = `exec 3>&2 2>/dev/null
last_pid() {
  last=
  read -r load load load load last </proc/loadavg
}
scan_surely() {
  looks=0
  while [ $looks -lt $1 ]; do
    looks=$((looks + 1))
    last_pid
    first=$last
    scan
    [ -n "$pids" ] && return
    last_pid
    [ $((last - first)) -ge 0 ] && [ $((last - first)) -le $own ] && [ -n "$last" ] && return
  done
}
`;

/**
 * Keeper inside a PID namespace, where the command's processes are all there is. One signal to -1
 * reaches every one of them at once, so that nothing can fork away.
 */
export const NAMESPACE_KEEPER: string = START + String.raw`
own=0
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
launch() (
  close_strays
  LLMCMD_RUN_ID=$3 exec "$1" -c "$2"
) </dev/null 2>&1 3>&-
finish() {
  kill -KILL -1
  turns=0
  while [ $turns -lt 500 ]; do
    turns=$((turns + 1))
    scan
    [ -z "$pids" ] && break
  done
  count=0
}
`.replaceAll("\\$", "$") + BODY;

/**
 * Functions that find what a command started by its marks, and kill it.
 *
 * Marks: a variable in the environment, and a resource limit nobody else has (the soft limit on
 * bytes in POSIX message queues, a little below its default: inherited by every descendant, also
 * one that made a session of its own, forked twice and cleared its environment); besides the
 * descendants of what carries a mark. Where there is no /proc, `ps` shows descendants and
 * environments.
 *
 * Killing: stop what is found until nothing new appears, so that nobody can fork on or restart
 * another, then kill, until nothing is found. A pid that was stopped and turns out to carry no mark
 * (it was reused in between) goes on.
 */
const MARKS = String.raw`
id=$3 mark=$4 own=1
[ -n "$mark" ] && own=2
add() {
  case " $pids " in *" $1 "*) return ;; esac
  pids="$pids $1"
}
scan() {
  pids=
  if [ -r /proc/self/limits ]; then scan_proc; else scan_ps; fi
}
scan_proc() {
  for file in $(
    [ -n "$mark" ] && grep -lsE "^Max msgqueue size +($mark) " /proc/[0-9]*/limits
    grep -lasE "LLMCMD_RUN_ID=[0-9a-f:]*($id)" /proc/[0-9]*/environ
  ); do
    pid=\${file#/proc/} pid=\${pid%/*}
    read -r stat <"/proc/$pid/stat" || continue
    case \${stat##*) } in Z*|X*) continue ;; esac
    add "$pid"
  done
  old=
  while [ "$old" != "$pids" ]; do
    old=$pids
    for pid in $old; do
      for file in "/proc/$pid/task/"*/children; do
        kids=
        read -r kids <"$file"
        for kid in $kids; do
          read -r stat <"/proc/$kid/stat" || continue
          case \${stat##*) } in Z*|X*) continue ;; esac
          add "$kid"
        done
      done
    done
  done
}
scan_ps() {
  case $(uname) in Linux) flags=eww ;; *) flags=-Eww ;; esac
  for pid in $({
    ps -A -o pid= -o ppid= -o stat=
    echo marks
    ps -A $flags -o pid= -o command= || ps $flags -A -o pid= -o command=
  } | awk -v id="LLMCMD_RUN_ID=[0-9a-f:]*($id)" '
    $1 == "marks" { marks = 1; next }
    !marks { if ($3 !~ /^[ZX]/) parent[$1] = $2; next }
    $0 ~ id && $1 in parent { ours[$1] = 1 }
    END {
      do {
        more = 0
        for (pid in parent) if (!(pid in ours) && parent[pid] in ours) { ours[pid] = 1; more = 1 }
      } while (more)
      for (pid in ours) print pid
    }'
  ); do add "$pid"; done
}
finish() {
  turns=0 stopped=
  while [ $turns -lt 100 ]; do
    turns=$((turns + 1))
    scan_surely 6
    [ -z "$pids" ] && break
    fresh=
    for pid in $pids; do
      case " $stopped " in *" $pid "*) ;; *) fresh="$fresh $pid" ;; esac
    done
    for pid in $stopped; do
      case " $pids " in *" $pid "*) ;; *) kill -CONT "$pid" ;; esac
    done
    stopped=$pids
    if [ -n "$fresh" ] && [ $turns -lt 20 ]; then
      for pid in $fresh; do kill -STOP "$pid"; done
    else
      for pid in $pids; do kill -KILL "$pid"; done
    fi
  done
  count=0
  for pid in $pids; do count=$((count + 1)); done
}
`.replaceAll("\\$", "$");

/** Keeper that finds the command's processes by their marks. */
export const MARKS_KEEPER: string = START + MARKS + String.raw`
launch() (
  close_strays
  [ -n "$mark" ] && ulimit -S -q "$mark"
  export LLMCMD_RUN_ID="$id"
  exec "$1" -c "$2"
) </dev/null 2>&1 3>&-
` + BODY;

/** Kills what carries the marks (alternatives joined by `|`), for when a keeper was killed. */
export const MARKS_SWEEP: string = START + MARKS + 'finish\necho "dead $count" >&3\n';
