# Functions that find the processes of a command by their marks, and kill them. POSIX shell. $1:
# run ids, $2: limits on resident memory in bytes, each list joined by `|`.
#
# Linux has two marks. One is the soft limit on resident memory, which Linux does not enforce, set
# to a unique number: every descendant inherits it, even after setsid, a double fork and a cleared
# environment. The other is a variable of the environment. Children of a marked process count, too.
# Without /proc, `ps` shows descendants and environments.
#
# One line of /proc/PID/stat has the mark, start time, group and session of a process at one
# moment, so only marked processes are stopped or killed. Looking starts no process of its own;
# processes that commands start meanwhile are looked at, too.
#
# Killing: stop each process as it is found, together with its group, which a fork cannot outrun;
# when a look at all processes finds no new one, kill. A group is signalled only in another session
# than this one, so in one that the command made.

id=$1 marks=$2
[ -r /proc/self/stat ] && proc=1 || proc=
read -r most </proc/sys/kernel/pid_max || most=4194304

# Reads `parent`, `group`, `session_of`, `start` and `limit` of process $1; fails if it has ended.
look() {
  read -r line <"/proc/$1/stat" || return 1
  set -- ${line##*) }
  case $1 in [ZXx]) return 1 ;; esac
  parent=$2 group=$3 session_of=$4 start=${20} limit=${23}
  [ -n "$limit" ]
}
if [ -n "$proc" ]; then look $$; own_session=$session_of; fi

# Adds process $1 to `living` if it is the command's; stops it if it is new and killing has begun.
see() {
  look "$1" || return 0
  case "|$marks|" in
    *"|$limit|"*) ;;
    *) case " $waiter:$living$others" in *" $parent:"*|*" $1:$start "*) ;; *) return 0 ;; esac ;;
  esac
  case $1 in $main|$waiter) return 0 ;; esac
  living="$living $1:$start"
  [ -n "$stopping" ] || return 0
  case "$stopped " in *" $1:$start "*) return 0 ;; esac
  stopped="$stopped $1:$start"
  fresh=1 born=$start
  send STOP "$1"
  # Its id was reused in between: the new process continues.
  look "$1" && [ "$start" != "$born" ] && kill -s CONT "$1"
}

# Sends signal $1 to process $2, which was just looked at, and to its group.
send() {
  kill -s "$1" "$2"
  [ "$session_of" != "$own_session" ] && [ "$group" -gt 1 ] && kill -s "$1" -- "-$group"
}

# Looks at all processes. `living`: those of the command, as `PID:START`; `fresh`: set if a new one
# was stopped.
#
# `sure`: set if every process was looked at, also those started during the look. The look can miss
# one whose fork the kernel had not finished: hence two looks in a row. If these never succeed in
# time, the count is `unknown`.
scan() {
  living= fresh= sure=
  if [ -z "$proc" ]; then scan_ps; return; fi
  others=" "
  for file in $(grep -lasE "LLMCMD_RUN_ID=[0-9a-f:]*($id)" /proc/[0-9]*/environ); do
    pid=${file#/proc/} pid=${pid%/*}
    look "$pid" || continue
    case "|$marks|" in *"|$limit|"*) continue ;; esac
    born=$start
    grep -qasE "LLMCMD_RUN_ID=[0-9a-f:]*($id)" "$file" && look "$pid" && [ "$start" = "$born" ] &&
      others="$others$pid:$start "
  done
  each_process && sure=1
}

# The same with `ps`, which does not look at one moment: `sure` stays empty.
scan_ps() {
  case $(uname) in Linux) flags=eww ;; *) flags=-Eww ;; esac
  for pid in $({
    ps -A -o pid= -o ppid= -o stat=
    echo marks
    ps -A $flags -o pid= -o command= || ps $flags -A -o pid= -o command=
  } | awk -v id="LLMCMD_RUN_ID=[0-9a-f:]*($id)" -v waiter="$waiter" '
    $1 == "marks" { marks = 1; next }
    !marks { if ($3 !~ /^[ZX]/) parent[$1] = $2; next }
    $0 ~ id && $1 in parent { ours[$1] = 1 }
    END {
      for (pid in parent) if (parent[pid] == waiter) ours[pid] = 1
      do {
        more = 0
        for (pid in parent) if (!(pid in ours) && parent[pid] in ours) { ours[pid] = 1; more = 1 }
      } while (more)
      for (pid in ours) print pid
    }'
  ); do
    living="$living $pid:"
    [ -n "$stopping" ] || continue
    case "$stopped " in *" $pid: "*) continue ;; esac
    stopped="$stopped $pid:"
    fresh=1
    kill -s STOP "$pid"
  done
  for one in $stopped; do
    case "$living " in *" $one "*) ;; *) kill -s CONT "${one%:}" ;; esac
  done
}

nothing_left() {
  stopping= clean=0
  for turn in 1 2 3 4; do
    scan
    [ -n "$living" ] && return 1
    [ -z "$proc" ] && [ $turn = 2 ] && return 0
    if [ -n "$sure" ]; then clean=$((clean + 1)); else clean=0; fi
    [ $clean -ge 2 ] && return 0
  done
  return 1
}

# Sets `now` to the seconds since the system's start or, if unknown, to the number of calls.
time_is() {
  turns=$((turns + 1))
  now=$turns
  [ -n "$proc" ] && read -r now rest </proc/uptime && now=${now%.*}
}

# Kills the processes that the last look has found.
kill_living() {
  for one in $living; do
    pid=${one%:*}
    if [ -z "$proc" ]; then kill -s KILL "$pid"; continue; fi
    look "$pid" && [ "$start" = "${one#*:}" ] && send KILL "$pid"
  done
}

# Stops and kills everything, for six seconds at most; sets `count`.
finish() {
  stopping=1 stopped= clean=0 rounds=0 turns=0
  time_is
  end=$((now + 6))
  [ -n "$proc" ] || end=60
  last_pid
  before=$last
  (:)
  last_pid
  [ "$before" = "$last" ] && counts= || counts=1
  while [ "$now" -lt "$end" ]; do
    scan
    time_is
    if [ -z "$living" ]; then
      if [ -n "$sure" ]; then clean=$((clean + 1)); else clean=0; fi
      [ $clean -ge 2 ] && break
      [ -z "$proc" ] && [ -z "$fresh" ] && break
      continue
    fi
    clean=0 rounds=$((rounds + 1))
    [ -n "$fresh" ] && [ $rounds -lt 20 ] && continue
    kill_living
  done
  # If time runs out, processes that were found must not stay behind stopped.
  kill_living
  count=0
  for one in $living; do count=$((count + 1)); done
  [ $count = 0 ] && { [ $clean -lt 2 ] || [ -z "$counts" ]; } && count=unknown
}
