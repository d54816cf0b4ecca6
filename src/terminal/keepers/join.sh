# Starts bwrap in the namespaces of a holder. POSIX shell with `test -ef`. Arguments: the id of the
# holder's first process, the id of a process in the outer user namespace (`-` to join no network),
# and bwrap's arguments.

pid=$1 outer=$2
shift 2
exec 8<"/proc/$pid/ns/pid" || exit 1
if [ ! "/proc/$pid/ns/user" -ef /proc/self/ns/user ]; then
  exec 7<"/proc/$pid/ns/user" || exit 1
  set -- --userns 7 "$@"
fi
set -- bwrap --pidns 8 "$@"
if [ "$outer" != - ]; then
  set -- --net="/proc/$outer/ns/net" -- "$@"
  [ "/proc/$outer/ns/user" -ef /proc/self/ns/user ] ||
    set -- --user="/proc/$outer/ns/user" --preserve-credentials "$@"
  set -- nsenter "$@"
fi
exec "$@"
