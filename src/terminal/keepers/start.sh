# What every program in shell language begins with. POSIX shell.
#
# What the shell itself complains about goes nowhere; descriptor 5 keeps standard error.

exec 5>&2 2>/dev/null

# Sets `last` to the last process number that the kernel gave away: empty where there is no /proc.
last_pid() {
  last=
  read -r load load load load last </proc/loadavg
}
