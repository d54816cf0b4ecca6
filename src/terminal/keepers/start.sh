# Beginning of every program in shell language. POSIX shell.
#
# The shell's own error messages are discarded; descriptor 5 keeps standard error.

exec 5>&2 2>/dev/null

# Sets `last` to the last process id that the kernel has assigned (the last field of
# /proc/loadavg); empty without /proc.
last_pid() {
  last=
  read -r load load load load last </proc/loadavg
}

# Calls `see` with the id of each process, also of those that are started meanwhile, until the last
# assigned id is one that was looked at: then every living process was seen. Fails if that moment
# does not come.
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
