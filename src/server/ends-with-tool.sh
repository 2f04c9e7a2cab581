# Runs a command that must not outlive the tool: sh ends-with-tool.sh COMMAND [ARGUMENT…]
#
# Standard input is a pipe whose other end only the tool holds. However the tool ends, even by kill -9, the pipe
# closes; then the whole process group is killed, which is this script's own.
exec 3<&0 </dev/null
(
  read -r _ <&3
  kill -9 0
) >/dev/null 2>&1 &
watcher=$!
"$@" 3<&-
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
