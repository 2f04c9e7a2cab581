# Runs a server that must not outlive its parent: sh guard.sh FOLDER CONFIG SERVER [ARGUMENT…]
#
# Standard input is a pipe whose other end only the tool holds. However the tool ends, even by kill -9,
# the pipe closes; then the guard kills the server and removes its private folder. It writes nothing and
# needs only sh, so it works wherever redis-server does.
#
# The server reads its configuration from a pipe. Anybody on this machine could send CONFIG REWRITE, which
# would overwrite a file.
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
