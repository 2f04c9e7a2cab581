#!/usr/bin/env node
// A URL among the arguments may hold a password, and the list of processes shows them until the
// title is set: so that comes first, and the rest is imported after it.
const args = process.argv.slice(2);
process.title = 'redis-pipe-bench';

const { stdout, stderr, env } = process;
const { main } = await import('../src/cli/main.js');
process.exitCode = await main(args, { stdout, stderr, env, process, startedAtMs: performance.timeOrigin });
// Only where something is still open, as a file of the user's may leave it: otherwise the process has ended by then.
setTimeout(endThoughOpen, 1000).unref();

async function endThoughOpen() {
  const { whyKeptOpen } = await import('../src/cli/interrupt.js');
  stdout.write('', () => stderr.write(whyKeptOpen(), () => process.exit()));
}
