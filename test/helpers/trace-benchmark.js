import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs a default benchmark with few iterations.
 * @param {string} root of the project
 * @returns {{loaded: number, used: number}} files of src/ that the parent process loads, and of which it calls a function
 */
export function traceBenchmark(root) {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-house-'));
  try {
    // A shell says which process is the parent, whose children write into the folder too.
    const small = '--iterations 20 --runs 2 --starts 1 --size 10 --pin off --no-save --quiet';
    const started = execFileSync(
      'sh',
      ['-c', `echo $$; exec "$0" bin/redis-pipe-bench.js ${small} >&2`, process.execPath],
      { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: folder }, stdio: 'pipe' },
    );
    const reports = readdirSync(folder).filter((name) => name.startsWith(`coverage-${started.trim()}-`));
    /** @type {{url: string, functions: {functionName: string, ranges: {startOffset: number, count: number}[]}[]}[]} */
    const scripts = reports.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result);
    const own = scripts.filter(
      ({ url }) => url.startsWith('file:') && relative(root, fileURLToPath(url)).startsWith('src'),
    );
    // The first function is the file itself.
    const used = own.filter(({ functions }) =>
      functions.slice(1).some(({ ranges: [{ count }] }) => count > 0),
    );
    return { loaded: own.length, used: used.length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
