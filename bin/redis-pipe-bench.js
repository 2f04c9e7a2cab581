#!/usr/bin/env node
// A URL among the arguments may hold a password, and the list of processes shows them until the
// title is set: so that comes first, and the rest is imported after it.
const args = process.argv.slice(2);
process.title = 'redis-pipe-bench';
const { main } = await import('../src/cli/main.js');

const { stdout, stderr, env } = process;
process.exitCode = await main(args, { stdout, stderr, env, process });
