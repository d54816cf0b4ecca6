# For each argument: `d` or `f` and the path with links followed, or nothing, and a NUL. POSIX shell.
for path; do
  if [ -e "$path" ]; then
    if [ -d "$path" ]; then printf d; else printf f; fi
    printf %s "$(readlink -f "$path")"
  fi
  printf '\0'
done
