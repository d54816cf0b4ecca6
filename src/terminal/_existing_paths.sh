# For each argument: `d` or `f` and the path with links followed, or nothing, and a NUL. POSIX shell.
# No process is started for a path without links, which is what most are.
for path; do
  if [ -e "$path" ]; then
    if [ -d "$path" ]; then printf d; else printf f; fi
    case $path in
      [!/]* | *//* | */./* | */../* | */. | */.. | ?*/) links=1 ;;
      *)
        links= above=$path
        while [ -n "$above" ]; do
          [ -L "$above" ] && links=1 && break
          above=${above%/*}
        done
        ;;
    esac
    if [ -n "$links" ]; then
      # A substitution drops the newlines at its end, which a name may end with, too.
      path=$(readlink -f "$path" && echo .)
      path=${path%??}
    fi
    printf %s "$path"
  fi
  printf '\0'
done
