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
  // Only where something is still open, as a file of the user's may leave it: otherwise the process has ended by then.
  setTimeout(endThoughOpen, 1000).unref();
} else {
  stderr.write(complaint);
  process.exitCode = 2;
}

async function endThoughOpen() {
  const { whyKeptOpen } = await import('../src/cli/interrupt.js');
  stdout.write('', () => stderr.write(whyKeptOpen(), () => process.exit()));
}
