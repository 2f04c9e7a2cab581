#!/bin/sh
# Each week: adds the releases that are new to the folder `results`, and makes the page of what changed for good again.
#
#     sh weekly.sh redis,ioredis
#
# OPTIONS are options of `releases`, BENCH is how the tool is started.
set -eu
bench=${BENCH:-npx redis-pipe-bench}
# shellcheck disable=SC2086
$bench releases results --clients "$1" --quiet ${OPTIONS:-}
mkdir -p public
$bench trend results --format html --output public/index.html
