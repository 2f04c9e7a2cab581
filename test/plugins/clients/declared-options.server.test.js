import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationsOf } from '../../../src/declared-types.js';
import { mainFileOf } from '../../../src/machine/packages.js';
import { loadPlugins } from '../../../src/plugins/registry.js';

/** The interfaces in which a client's type definitions declare its options. @type {Record<string, [from: string, names: string[]]>} */
const INTERFACES = {
  redis: ['redis', ['RedisClientOptions', 'RedisClusterOptions', 'RedisSentinelOptions']],
  ioredis: ['ioredis', ['RedisOptions', 'ClusterOptions']],
  iovalkey: ['iovalkey', ['RedisOptions', 'ClusterOptions']],
  'valkey-glide': ['@valkey/valkey-glide', ['GlideClientConfiguration', 'GlideClusterClientConfiguration']],
};

const SERVER = 'names the server, its user or the keys, which only the tool decides';
const SENTINEL = 'where Sentinels are and how they are reached, which only the tool decides';
const CODE = 'takes a function or an object of a class, and a configuration is JSON';
const INTERNAL = "the client's own, not for its users";

/** What is declared and not taken: why, and which names, of any client or of one. @type {[why: string, names: string][]} */
const NOT_TAKEN = [
  [SERVER, 'url host port path username password credentials credentialsProvider database databaseId db'],
  [SERVER, 'keyPrefix rootNodes addresses useTLS'],
  [SENTINEL, 'sentinels name role sentinelUsername sentinelPassword sentinelTLS enableTLSForSentinelMode'],
  [SENTINEL, 'sentinelRootNodes nodeClientOptions sentinelClientOptions'],
  ['is about events, to which nothing listens here', 'passthroughClientErrorEvents'],
  ['of connections to replicas, and there is one client for all commands', 'preferredSlaves'],
  [CODE, 'Connector resolveSrv dnsLookup addressResolver valkey-glide.clientSideCache'],
  [INTERNAL, 'offlineQueue commandQueue'],
  ['options for all nodes stand beside the others, and the adapter hands them on', 'defaults'],
  ['has callbacks and channels, and a benchmark subscribes by itself', 'pubsubSubscriptions'],
];

/** What earlier releases have, and the one that is declared has not. @type {Record<string, string>} */
const ONLY_EARLIER = { redis: 'isolationPoolOptions' };

/** @param {string} text */
const words = (text) => text.split(' ').filter(Boolean);

/** @returns {Record<string, string[]>} by client, as tsc reads the type definitions */
function declaredOptions() {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = mkdtempSync(join(root, 'test', 'declared-'));
  try {
    const lines = Object.entries(INTERFACES).map(([client, [from, names]]) => {
      const keys = names.map((name) => `Keys<import('${from}').${name}>`).join(' | ');
      // An error message is how tsc tells what a type is.
      return `export const ${client.replace(/\W/, '_')}: 0 = null as unknown as ${keys};`;
    });
    // The dot has each name written out, where it would be called 'keyof ClusterOptions'.
    lines.push(`type Keys<T> = \`.\${keyof T & string}\`;`);
    writeFileSync(join(folder, 'declared.ts'), lines.join('\n'));
    const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin', 'tsc');
    const options = '--ignoreConfig --noEmit --strict --noErrorTruncation --skipLibCheck --pretty false';
    const { stdout } = spawnSync(
      process.execPath,
      [tsc, ...words(`${options} --target es2023 --module nodenext --types node declared.ts`)],
      { cwd: folder, encoding: 'utf8' },
    );
    const types = [...stdout.matchAll(/error TS2322: Type '(.*)' is not assignable to type '0'/g)];
    return Object.fromEntries(
      Object.keys(INTERFACES).map((client, index) => [
        client,
        [...types[index][1].matchAll(/"\.([^"]+)"/g)].map(([, name]) => name),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the options that a client's own types declare", () => {
  /** @type {Record<string, string[]>} */
  let declared = {};
  const reasons = new Map(NOT_TAKEN.flatMap(([why, names]) => words(names).map((name) => [name, why])));

  before(() => {
    declared = declaredOptions();
  });

  for (const client of Object.keys(INTERFACES)) {
    it(`of ${client} are accepted, but for those with a reason`, async () => {
      const taken = (await loadPlugins('clients')).get(client)?.options ?? [];
      const missing = declared[client].filter(
        (name) => !taken.includes(name) && !reasons.has(name) && !reasons.has(`${client}.${name}`),
      );
      assert.deepEqual(missing, []);
    });

    it(`of ${client} are all that is accepted, but for those of earlier releases`, async () => {
      const taken = (await loadPlugins('clients')).get(client)?.options ?? [];
      const earlier = words(ONLY_EARLIER[client] ?? '');
      const unknown = taken.filter((name) => !declared[client].includes(name));
      assert.deepEqual(unknown.sort(), earlier.sort());
    });
  }

  for (const client of Object.keys(INTERFACES)) {
    it(`of ${client} are those that the tool reads out of the declarations`, async () => {
      const { package: name, declares } = (await loadPlugins('clients')).get(client) ?? {};
      const declarations = declarationsOf(String(mainFileOf(String(name))));
      const read = Object.values(declares ?? {}).flatMap((names) =>
        (declarations.named(names) ?? []).flatMap((type) =>
          type.is === 'object' ? [...type.members.keys()] : [],
        ),
      );
      assert.deepEqual([...new Set(read)].sort(), [...declared[client]].sort());
    });
  }

  it('need no reason that is out of date', async () => {
    const clients = await loadPlugins('clients');
    const missing = Object.keys(INTERFACES).flatMap((client) =>
      declared[client]
        .filter((name) => !clients.get(client)?.options?.includes(name))
        .flatMap((name) => [name, `${client}.${name}`]),
    );
    const stale = [...reasons.keys()].filter((name) => !missing.includes(name));
    assert.deepEqual(stale, []);
  });
});
