# Runs a server that must not outlive its parent: sh guard.sh FOLDER CONFIG SERVER [ARGUMENT…]
#
# Standard input is a pipe whose other end only the tool holds. However the tool ends, kill -9
# included, the pipe closes; then the server is killed and its private folder removed. The guard
# writes nothing and needs nothing but sh, so it works wherever a redis-server does.
#
# The server reads its configuration from a pipe, not from the file: CONFIG REWRITE, which anybody on
# this machine could send, would write over that.
folder=$1
config=$2
shift 2
exec 3<&0 </dev/null
"$@" <"$config" 3<&- &
server=$!
(
  read -r _ <&3
  kill -9 "$server" 2>/dev/null
  rm -rf "$folder"
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
rm -rf "$folder"
exit "$status"
