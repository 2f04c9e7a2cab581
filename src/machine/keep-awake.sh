# Keeps processors awake: sh keep-awake.sh CPU…
#
# A loop of idle priority on each gives way at once to whatever else wants to run. A shell's own loop makes no system call
# and never sleeps. Its process id is printed when it is in its place. Where one ends, all end, so that none is missed.

for cpu; do
  {
    sh -c 'while :; do :; done' redis-pipe-bench-keep-awake &
    loop=$!
    # From outside: a process of idle priority on a busy machine may take seconds to do anything itself.
    taskset -c -p "$cpu" "$loop" >/dev/null && { chrt -i -p 0 "$loop" || renice -n 19 "$loop" >/dev/null; } && echo "$loop" && wait "$loop"
    kill -9 0
  } &
done
wait
