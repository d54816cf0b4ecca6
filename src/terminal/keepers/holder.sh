# Holds the namespaces that the commands of a session share, and removes the session's folders at
# the end. POSIX shell. Arguments: two folders (either may be empty), and `network` if the commands
# share a network of their own, otherwise `-`.
#
# When standard input ends, also because the program that started this died, the first process ends
# and the kernel kills all others. This reports `ready` and `ended` on descriptor 1; bwrap writes
# the id of the first process to descriptor 3, and to 4 the id of one in the outer user namespace.
#
# The first process sees only the folders that a shell needs, because commands see the same by
# /proc/1/root. Process 1 can't be killed from inside. It is bash, which reaps orphans; with
# another shell it is bwrap.

first=$1 second=$2 network=$3
unset LLMCMD_KEEPER
trap '' HUP INT QUIT TERM PIPE

set -- --die-with-parent --new-session --unshare-pid --unshare-ipc --cap-drop ALL --info-fd 3
for folder in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store; do
  set -- "$@" --ro-bind-try "$folder" "$folder"
done
shell=/bin/sh
for file in /usr/bin/bash /bin/bash; do [ -x "$file" ] && shell=$file; done
case $shell in *bash) set -- "$@" --as-pid-1 -- "$shell" -p ;; *) set -- "$@" -- "$shell" ;; esac
set -- "$@" -c 'trap "" HUP INT QUIT TERM PIPE; echo ready; exec >&- 2>&-; read -r line && exit 3; exit 0' \
  llmcmd-session

# The network belongs to an outer user namespace around that of the processes: only root of the
# outer one can join the network, while commands keep their user. Root itself needs no outer
# namespace.
if [ "$network" != network ] || [ "$(id -u)" = 0 ]; then exec 4>&-; fi
if [ "$network" != network ]; then
  bwrap "$@"
elif ! command -v nsenter >/dev/null; then
  echo "nsenter is not installed" >&2
elif [ "$(id -u)" = 0 ]; then
  bwrap --unshare-net "$@"
else
  bwrap --die-with-parent --unshare-user --uid 0 --gid 0 --unshare-net --cap-add ALL \
    --dev-bind / / --info-fd 4 -- \
    bwrap --unshare-user --uid "$(id -u)" --gid "$(id -g)" "$@"
fi
code=$?
exec 3>&- 4>&-
echo ended

# A line of input means that the folders stay, because another holder needs them. The first process
# reads it, or this one if the first was killed. Otherwise this waits for the end of the program.
[ $code = 3 ] && exit 0
read -r line && exit 0
set -- ${first:+"$first"} ${second:+"$second"}
cd /
# Several attempts: folders without write permission (Go's modules) can't be emptied, nor folders
# in which programs of other namespaces, such as a terminal's, still make files.
for attempt in 1 2 3; do
  rm -rf -- "$@" 2>/dev/null && break
  chmod -R u+rwX -- "$@" 2>/dev/null
  rm -rf -- "$@" 2>/dev/null && break
  sleep 1
done
