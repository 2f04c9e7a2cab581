# Runs a command that must not outlive the tool: sh guard.sh FOLDER INPUT COMMAND [ARGUMENT…]
#
# FOLDER goes with it; an empty one is none. INPUT is the file that it reads as its standard input.
# The guard's own standard input is a pipe whose other end only the tool holds. However the tool ends, even by kill -9,
# the pipe closes; then the guard kills the command and removes the folder, or, without one, kills its process group.
# It writes nothing and needs only sh, so it works wherever redis-server does.
folder=$1
input=$2
shift 2
exec 3<&0 </dev/null
"$@" <"$input" 3<&- &
command=$!
(
  read -r _ <&3
  # A server is waited for below, so that it is gone when the guard is. Other commands may have children.
  [ -n "$folder" ] || kill -9 0
  kill -9 "$command"
  rm -rf "$folder"
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$command"
status=$?
{ kill "$watcher" && wait "$watcher"; } 2>/dev/null
[ -z "$folder" ] || rm -rf "$folder"
exit "$status"
