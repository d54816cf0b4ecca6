# The part that both keepers in shell language share. POSIX shell; it uses bash's `read -t` where
# there is one. Arguments: shell, command, run id, mark.
#
# The main process waits for the end of its standard input and then kills everything; a subshell
# runs the command in the foreground and reports its end. Both survive the signals that a command
# sends to its own group (`kill 0`); handlers, unlike ignored signals, are not inherited.
#
# The part before this one defines
#   nothing_left  succeeds where it is sure that nothing is left of what the command started
#   finish        kills all that, and sets `count` to the number of those left, or to `unknown`
#   launch        runs the command
#
# It reports, a line each: `ready`, `exit CODE LEFT` when the command has ended (LEFT is 1 where
# something of it may still run) and `dead COUNT` when everything was killed.

main=$$

# Closes what bash holds besides the standard descriptors, so that the command does not get it.
close_strays() {
  [ -n "$BASH_VERSION" ] || return 0
  for file in /proc/self/fd/*; do
    case ${file##*/} in [012]|\*) ;; *) eval "exec ${file##*/}>&-" ;; esac
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

# Where `read` can give up, it looks every two seconds whether the subshell still runs.
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
