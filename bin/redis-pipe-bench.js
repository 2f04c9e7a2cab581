#!/usr/bin/env node
// A URL among the arguments may hold a password, and the list of processes shows them until the
// title is set: so that comes first, and the rest is imported after it.
const args = process.argv.slice(2);
process.title = 'redis-pipe-bench';

const { stdout, stderr, env, versions } = process;
const { readFileSync } = await import('node:fs');
const { allowedFiles, FEWEST_FILES, isTooOld, OLDEST_NODE } = await import('../src/oldest-node.js');
const why = whyNotHere();
process.exitCode = why === null ? await run() : refuse(why);
// Only where something is still open, as a file of the user's may leave it: otherwise the process has ended by then.
setTimeout(endThoughOpen, 1000).unref();

/** @returns {string | null} before the rest is loaded, which an older Node cannot read and for which files may lack */
function whyNotHere() {
  if (isTooOld(versions.node))
    return `expected Node ${OLDEST_NODE} or newer, but ${process.execPath} is ${versions.node}; use 'nvm install 22', a newer image, or https://nodejs.org`;
  const files = allowedFiles(limits());
  if (files < FEWEST_FILES)
    return `expected ${FEWEST_FILES} or more open files, but this process may have ${files}; raise the limit with: ulimit -n 1024`;
  return null;
}

function limits() {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Other systems than Linux do not say: there a file that cannot be opened is an error of its own.
    return '';
  }
}

/** @param {string} why */
function refuse(why) {
  stderr.write(`redis-pipe-bench: ${why}\n`);
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
