import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('tiny-module.c', import.meta.url));

/**
 * Builds a module of Redis with commands that no list knows: TINY.GET and TINY.SET of a key; TINY.LATE, whose key is
 * its second argument; TINY.SILENT, a TINY.SET that names no keys; and TINY.ADMIN.
 *
 * @param {string} folder
 * @returns {string | null} its file; null without a C compiler
 */
export function buildModule(folder) {
  const file = join(folder, 'tiny.so');
  const { status, error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', file, SOURCE], {
    encoding: 'utf8',
  });
  if (error) return null;
  if (status !== 0) throw new Error(`cc failed: ${stderr}`);
  return file;
}
