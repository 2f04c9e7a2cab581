#!/bin/sh
# A pull request of a client library: its checkout beside the last release, in one benchmark.
#
#     sh pull-request.sh redis .
#
# comment.md says what changed and what it costs. Exit 5: it costs more, and a second benchmark confirms that.
# METRIC and LIMIT say what counts as more, OPTIONS are options of the benchmark, BENCH is how the tool is started.
set -eu
client=$1
checkout=$2
metric=${METRIC:-cpuUsPerOp}
limit=${LIMIT:-1.05}
bench=${BENCH:-npx redis-pipe-bench}
# A shared connection with much in flight: there the client's own work is what limits it.
options=${OPTIONS:---scenarios shared-connection --tasks 64 --runs 8}

last=$client@$(npm view "$client" version)
new=$client@path:$checkout
scenario='shared connection'
worse="'$new, $scenario'.$metric > $limit * '$last, $scenario'.$metric"

measure() {
  # shellcheck disable=SC2086
  $bench --clients "$last,$new" $options --save "$1" --quiet >/dev/null
}

# Whether the runs show it, whatever they may be off: holds for all values that the intervals allow.
is_worse() {
  code=0
  $bench report "$1" --assert "$worse" --assert-strict >/dev/null 2>&1 || code=$?
  case $code in
    0) return 0 ;;
    5) return 1 ;;
    *) echo "the result in $1 cannot be judged (exit $code)" >&2; exit "$code" ;;
  esac
}

# The verdict, and the report that it rests on.
comment() {
  {
    echo "$1"
    echo
    $bench report "$2" --format markdown
  } >comment.md
}

measure first.ndjson
$bench report first.ndjson --format markdown >comment.md
if ! is_worse first.ndjson; then
  comment "No more than $limit times the $metric of $last was shown." first.ndjson
  exit 0
fi
measure second.ndjson
if ! is_worse second.ndjson; then
  comment "More than $limit times the $metric of $last in a first benchmark; a second one did not confirm it." second.ndjson
  exit 0
fi
comment "More than $limit times the $metric of $last, confirmed by a second benchmark." second.ndjson
exit 5
