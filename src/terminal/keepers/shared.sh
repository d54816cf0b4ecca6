# Functions that find and kill the processes of a command in a PID namespace that it shares with
# the other commands of a session. POSIX shell. $1: run id, $2: mark.
#
# Marks distinguish a command's processes from others, no matter whose children they are now: the
# soft limit on resident memory (see marks.sh) and, for killing, the mount on /run/llmcmd/ID that
# bwrap has made for this command, which a process can't remove. Children of a marked process
# count, too.
#
# Killing: one signal to -1 stops every process in the namespace at once, so that none can fork
# away. Those with a mark are then killed, and the others continue.

id=${1##*:}
ulimit -S -m $(($2 / 1024)) && marked=$2 || marked=
read -r most </proc/sys/kernel/pid_max || most=4194304
killing=

# Adds process $1 to `living` and `fresh` if it is the command's.
see() {
  pid=$1
  case $pid in 1|$main|$waiter) return 0 ;; esac
  read -r line <"/proc/$pid/stat" || return 0
  set -- ${line##*) }
  case $1 in [ZXx]) return 0 ;; esac
  case " $living " in *" $pid "*) return 0 ;; esac
  if [ "${23}" != "$marked" ]; then
    case " $waiter$living " in
      *" $2 "*) ;;
      *) { [ -n "$marked" ] && [ -z "$killing" ]; } || ! mounted "$pid" && return 0 ;;
    esac
  fi
  living="$living $pid" fresh="$fresh $pid"
}

# Succeeds if process $1 sees the command's mount.
mounted() {
  while read -r line; do
    case $line in *" /run/llmcmd/$id "*) return 0 ;; esac
  done <"/proc/$1/mountinfo"
  return 1
}

# Two looks in a row, because the first one can miss a process whose fork was not finished.
nothing_left() {
  clean=0
  for turn in 1 2 3 4; do
    living= fresh=
    each_process && clean=$((clean + 1)) || clean=0
    [ -n "$living" ] && return 1
    [ $clean -ge 2 ] && return 0
  done
  return 1
}

launch() (
  export LLMCMD_RUN_ID="$run_id"
  connect
  exec "$@"
)

# Sets `paused` to the processes that are stopped.
find_paused() {
  paused=
  for dir in /proc/[0-9]*; do
    read -r line <"$dir/stat" || continue
    case ${line##*) } in [Tt]*) paused="$paused ${dir#/proc/}" ;; esac
  done
}

# Continues all processes except those that were stopped before.
resume() {
  if [ -z "$paused" ]; then kill -s CONT -- -1; return; fi
  for dir in /proc/[0-9]*; do
    pid=${dir#/proc/}
    case "$paused " in *" $pid "*) ;; *) kill -s CONT "$pid" ;; esac
  done
}

finish() {
  killing=1
  find_paused
  kill -s STOP -- -1
  living= killed= todo= count= rounds=0
  while [ $((rounds += 1)) -lt 50 ]; do
    fresh=
    each_process && sure=1 || sure=
    todo="$todo$fresh"
    # Look for children while their parents still exist.
    [ -n "$fresh" ] && continue
    [ -z "$todo$sure" ] && continue
    [ -z "$todo" ] && break
    for pid in $todo; do kill -s KILL "$pid"; done
    killed="$killed$todo" todo=
  done
  [ -n "$todo" ] || [ -z "$sure" ] && count=unknown
  # Otherwise it would continue, and report that the command has ended.
  [ -n "$waiter" ] && kill -s KILL "$waiter"
  resume
  read -r now rest </proc/uptime
  end=$((${now%.*} + 6))
  # Killed processes may need a moment to end.
  while :; do
    left=0
    for pid in $killed; do
      read -r line <"/proc/$pid/stat" || continue
      case ${line##*) } in Z*|X*) ;; *) left=$((left + 1)) ;; esac
    done
    [ $left = 0 ] && break
    read -r now rest </proc/uptime
    [ "${now%.*}" -ge "$end" ] && break
  done
  [ $left = 0 ] && count=${count:-0} || count=$left
}
