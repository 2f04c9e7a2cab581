# Ends a process that outlives the tool: sh outlive-guard.sh PID SECONDS
#
# Standard input is a pipe whose other end only the tool holds. However the tool ends, even by kill -9, the pipe closes.
# A worker that is well notices it too, removes its keys and ends. One that is caught in an endless loop never does.
read -r _
# One that --fault freeze has stopped would hear of nothing either.
kill -CONT "$1" 2>/dev/null
left=$(($2 * 5))
while kill -0 "$1" 2>/dev/null; do
  # It has ended, but its parent has not reaped it yet.
  case $(ps -o stat= -p "$1" 2>/dev/null) in Z*) break ;; esac
  [ "$left" -gt 0 ] || kill -9 "$1"
  left=$((left - 1))
  sleep 0.2
done
