#!/usr/bin/env node
// A URL among the arguments may hold a password, and the list of processes shows them until the
// title is set: so that comes first, and the rest is imported after it.
const args = process.argv.slice(2);
process.title = 'redis-pipe-bench';

const { stdout, stderr, env } = process;
const { tooFewFiles } = await import('../src/cli/open-files.js');
const complaint = tooFewFiles();
if (complaint === null) {
  const { main } = await import('../src/cli/main.js');
  process.exitCode = await main(args, { stdout, stderr, env, process, startedAtMs: performance.timeOrigin });
} else {
  stderr.write(complaint);
  process.exitCode = 2;
}
