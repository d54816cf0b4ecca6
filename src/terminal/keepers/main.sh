# Shared by the keepers in shell language. POSIX shell; uses bash's `read -t` if available.
# Arguments: run id, mark, `merge` or `apart`, `duplex` or `-`, and the command with its arguments.
# If the command is left out, the variable LLMCMD_COMMAND has it, quoted: so commands that look for
# processes by their arguments (`pkill -f`) do not find the keeper.
#
# Descriptor 3 is a socket to the program that started the keeper. When it ends, also because that
# program died, the main process kills everything. The keeper writes its reports there, one a line:
# `missing` if the command's program does not exist, otherwise `ready`; `exit CODE LEFT` when the
# command has ended (LEFT is 1 if processes of it may still run); and `dead COUNT` when everything
# was killed.
#
# The command gets descriptors 0 and 1, as standard error 2 (`apart`) or a copy of 1 (`merge`), and
# descriptor 4 as its 3 (`duplex`). The keeper closes them as early as possible, so that the other
# ends see an end of file: the main process when the command was started; the subshell, which runs
# the command in the foreground, when the command has ended.
#
# Both processes survive signals that a command sends to its own group (`kill 0`). The subshell has
# handlers, which the command does not inherit, unlike ignored signals.
#
# The part before this one defines
#   nothing_left  succeeds if it is certain that no process of the command is left
#   finish        kills them all, and sets `count` to the number of those left, or to `unknown`
#   launch        runs the command

main=$$ run_id=$1 mark=$2 errors=$3 duplex=$4
shift 4
[ $# = 0 ] && eval "set -- $LLMCMD_COMMAND"
unset DENO_EXTRA_STDIO_FDS LLMCMD_COMMAND LLMCMD_KEEPER

# Succeeds if $1 can be started: a path, or a name on the PATH.
found() {
  case $1 in */*) [ -x "$1" ] && [ ! -d "$1" ]; return ;; esac
  name=$1 IFS=:
  set -f
  set -- $PATH
  set +f
  unset IFS
  for folder; do [ -x "${folder:-.}/$name" ] && [ ! -d "${folder:-.}/$name" ] && return 0; done
  return 1
}

# Gives the command its descriptors, and closes all others: bash may hold inherited ones.
connect() {
  if [ "$errors" = merge ]; then exec 2>&1; else exec 2>&5; fi
  if [ "$duplex" = duplex ]; then exec 3>&4 4>&- 5>&-; else exec 3>&- 4>&- 5>&-; fi
  [ -n "$BASH_VERSION" ] || return 0
  for file in /proc/self/fd/*; do
    case ${file##*/} in
      [012]|\*) ;;
      3) [ "$duplex" = duplex ] || exec 3>&- ;;
      *) eval "exec ${file##*/}>&-" ;;
    esac
  done
}

trap '' HUP INT QUIT PIPE TERM
found "$1" || { echo missing >&3; exit 0; }
echo ready >&3
# A subshell in the background gets an empty input by default, so descriptor 0 is passed as 6.
exec 6<&0
(
  trap : HUP INT QUIT PIPE TERM
  exec 6<&-
  launch "$@"
  code=$?
  exec </dev/null >/dev/null 4>&- 5>&-
  read -r waiter rest </proc/self/stat
  if nothing_left; then
    echo "exit $code 0" >&3
    kill -KILL "$main"
  else
    echo "exit $code 1" >&3
  fi
) <&6 &
waiter=$!
exec </dev/null >/dev/null 4>&- 5>&- 6<&-

# If `read` has a time-out, check every two seconds whether the subshell still runs.
every=
case $BASH_VERSION in [4-9]*|[1-9][0-9]*) every='-t 2' ;; esac
while :; do
  read $every -r line <&3
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
