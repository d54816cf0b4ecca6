# Prints for each argument `d` (folder) or `f` (other) and the path with links followed, or nothing
# if it is missing, then a NUL. POSIX shell. Starts no process for a path without links, which most
# are.
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
      # A command substitution drops newlines at its end, but a name may end with some.
      path=$(readlink -f "$path" && echo .)
      path=${path%??}
    fi
    printf %s "$path"
  fi
  printf '\0'
done
