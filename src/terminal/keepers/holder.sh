# Holds namespaces that the commands of a session share, and afterwards removes its folders. POSIX
# shell. Arguments: two folders (either may be empty), `network` where commands share one of their
# own, else `-`.
#
# When standard input ends, also because the program died that started this, the first process ends,
# and the kernel kills all others. It reports `ready` and `ended` on descriptor 1; bwrap tells on
# descriptor 3 the number of the first process, and on 4 that of one in the outer user namespace.
#
# The first process sees the folders that a shell needs and nothing else, because commands see by
# /proc/1/root what it sees. Bash is process 1, which can't be killed from inside, as it also reaps
# orphans; other shells leave that to bwrap.

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

# The network belongs to a user namespace around the one that the processes are in: only who is root
# in it can join the network, while commands keep their user. Root needs none of that.
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

# A line says that the folders are to stay, because another holder needs them: who reads it first, the
# first process or this one, depends on whether that was killed. Else this waits for the program's end.
[ $code = 3 ] && exit 0
read -r line && exit 0
set -- ${first:+"$first"} ${second:+"$second"}
cd /
# Folders without write permission (Go's modules) can't be emptied, nor those in which programs in
# other namespaces, such as a terminal's, still make files.
for attempt in 1 2 3; do
  rm -rf -- "$@" 2>/dev/null && break
  chmod -R u+rwX -- "$@" 2>/dev/null
  rm -rf -- "$@" 2>/dev/null && break
  sleep 1
done
