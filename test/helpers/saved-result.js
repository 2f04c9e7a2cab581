import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { BIN, CACHE_HOME } from './cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Without what tells where it was written: the machine's name, and this project's folder. @param {string} text */
const nameless = (text) =>
  text.replace(/"machine":"[^"]+"/g, '"machine":"this one"').replaceAll(ROOT, '/redis-pipe-bench/');

/**
 * Measures, keeps the result and says how it went.
 *
 * @param {string} file that is written, compressed
 * @param {string[]} args of a benchmark
 * @param {string} [cwd]
 */
export function writeResult(file, args, cwd) {
  const temp = mkdtempSync(join(tmpdir(), 'rpb-result-'));
  const save = join(temp, 'saved');
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args, '--save', save, '--quiet'], {
    cwd,
    encoding: 'utf8',
    // Paths of releases are in results.
    env: { ...process.env, XDG_CACHE_HOME: CACHE_HOME },
  });
  process.stdout.write(`${file}: exit code ${status}\n${stderr}`);
  if (existsSync(save)) writeFileSync(file, gzipSync(nameless(readFileSync(save, 'utf8')), { level: 9 }));
  rmSync(temp, { recursive: true });
}
