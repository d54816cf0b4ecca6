# What every program in shell language begins with. POSIX shell.
#
# What the shell itself complains about goes nowhere; descriptor 5 keeps standard error.

exec 5>&2 2>/dev/null

# Sets `last` to the last process number that the kernel gave away (the last field of /proc/loadavg):
# empty where there is no /proc.
last_pid() {
  last=
  read -r load load load load last </proc/loadavg
}

# Calls `see` with the number of each process, also of those that are started meanwhile, up to a
# moment when the last number given away was one that had been looked at: who lives then was seen.
# Fails without such a moment.
each_process() {
  last_pid
  at=$last steps=0
  for dir in /proc/[0-9]*; do see "${dir#/proc/}"; done
  while :; do
    last_pid
    [ "$at" = "$last" ] && return 0
    while [ "$at" != "$last" ]; do
      at=$((at + 1)) steps=$((steps + 1))
      [ "$at" -gt "$most" ] && at=1
      [ "$steps" -gt 5000 ] && return 1
      see "$at"
    done
  done
}
