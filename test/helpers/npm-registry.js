import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** @import { AddressInfo } from 'node:net' */

const run = promisify(execFile);

/**
 * Writes an otherwise empty package with the given files.
 *
 * @param {string} folder
 * @param {{name: string, version: string, [field: string]: unknown}} manifest
 * @param {Record<string, string>} [files] contents by path
 */
export function writePackage(folder, manifest, files = { 'index.js': '' }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

/**
 * @param {string} folder of a package
 * @param {string} into
 * @returns {Promise<string>} the tarball
 */
export async function packPackage(folder, into) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const tarball = join(into, `${name}-${version}.tgz`);
  // As npm packs it, which would take ten times as long.
  const packed = mkdtempSync(join(into, 'pack-'));
  cpSync(folder, join(packed, 'package'), { recursive: true });
  await run('tar', ['-czf', tarball, '-C', packed, 'package']);
  rmSync(packed, { recursive: true });
  return tarball;
}

/**
 * A registry with a package that exists nowhere else, and an npm that uses only this registry and stays
 * out of the user's npm cache.
 *
 * @param {string} name of its only package
 * @param {Record<string, Record<string, string>>} releases files by version
 */
export async function startRegistry(name, releases) {
  const folder = mkdtempSync(join(tmpdir(), 'rpb-registry-'));
  /** @type {Record<string, Buffer>} */
  const tarballs = {};
  for (const [version, files] of Object.entries(releases)) {
    writePackage(join(folder, version), { name, version }, files);
    tarballs[version] = readFileSync(await packPackage(join(folder, version), folder));
  }
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = String(request.url);
    requests.push(path);
    const tarball = tarballs[path.replace(/^\/tarball\//, '')];
    if (tarball) response.end(tarball);
    else if (path === `/${name}`) response.end(JSON.stringify(describe()));
    else response.writeHead(404).end('{"error":"Not found"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const url = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;

  function describe() {
    const versions = Object.keys(tarballs).map((version) => [
      version,
      {
        name,
        version,
        dist: {
          tarball: `${url}/tarball/${version}`,
          shasum: createHash('sha1').update(tarballs[version]).digest('hex'),
        },
      },
    ]);
    const latest = Object.keys(tarballs).findLast((version) => !version.includes('-'));
    return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
  }

  return {
    env: { npm_config_registry: url, npm_config_cache: join(folder, 'npm-cache') },
    /** @returns {string[]} the paths requested since the last call */
    requests: () => requests.splice(0),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** An npm without a network. */
export const OFFLINE = { npm_config_registry: 'http://127.0.0.1:1' };
