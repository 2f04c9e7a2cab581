#!/usr/bin/env node
// A URL among the arguments may hold a password, and the list of processes shows them until the
// title is set: so that comes first, and the rest is imported after it.
const args = process.argv.slice(2);
process.title = 'redis-pipe-bench';

const { stdout, stderr, env, versions } = process;
const { isTooOld, OLDEST_NODE } = await import('../src/oldest-node.js');
process.exitCode = isTooOld(versions.node) ? refuse() : await run();
// Only where something is still open, as a file of the user's may leave it: otherwise the process has ended by then.
setTimeout(endThoughOpen, 1000).unref();

function refuse() {
  stderr.write(
    `redis-pipe-bench: expected Node ${OLDEST_NODE} or newer, but ${process.execPath} is ${versions.node}; use 'nvm install 22', a newer image, or https://nodejs.org\n`,
  );
  return 2;
}

async function run() {
  const { main } = await import('../src/cli/main.js');
  return main(args, { stdout, stderr, env, process, startedAtMs: performance.timeOrigin });
}

async function endThoughOpen() {
  const { whyKeptOpen } = await import('../src/cli/interrupt.js');
  stdout.write('', () => stderr.write(whyKeptOpen(), () => process.exit()));
}
