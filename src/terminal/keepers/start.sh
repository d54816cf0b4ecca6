# What every keeper in shell language begins with. POSIX shell.
#
# Reports go to descriptor 3, which was standard error; what the shell itself complains about goes
# nowhere.

exec 3>&2 2>/dev/null

# Sets `last` to the last process number that the kernel gave away: empty where there is no /proc.
last_pid() {
  last=
  read -r load load load load last </proc/loadavg
}
