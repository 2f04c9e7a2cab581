import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mainFileOf } from '../../src/machine/packages.js';
import { checkDeclared, missingIn } from '../../src/options/declared-options.js';
import { clientReleases, skipMissing } from '../helpers/client-releases.js';
import { nodeSockets } from '../helpers/node-sockets.js';

/** @import { ClientPlugin } from '../../src/plugins/types.js' */
/** @import { Topology } from '../../src/options/types.js' */

const NODE_SOCKETS = fileURLToPath(new URL('../../src/process/node-sockets.d.ts', import.meta.url));
/** Of redis:careful. */
const LATER_THAN_4 = ['commandOptions', 'socket.socketTimeout'];
const { tested, missing } = await clientReleases();

/** @param {string} name `redis`, or `redis@4` for the release of that major @param {Record<string, unknown>} options @param {Topology[]} [topologies] */
function check(name, options, topologies = ['standalone']) {
  return checkDeclared(options, '--clients x{…}', measured(name), topologies);
}

/** @param {string} name */
function measured(name) {
  const found = tested.find((each) => each.name === name || each.name.startsWith(`${name}.`));
  if (found === undefined) throw new Error(`${name} is not installed`);
  const { client, entry } = found;
  const [, version = 'here'] = found.name.split('@');
  return { client, version, main: entry ?? mainFileOf(String(client.package)) };
}

/** @param {string} name @param {Record<string, any>} options @param {RegExp} message @param {Topology[]} [topologies] */
const refused = (name, options, message, topologies) =>
  assert.throws(() => check(name, options, topologies), message);

describe('options/declared-options', () => {
  it('has of sockets of Node what @types/node says', async () => {
    if (process.env.UPDATE_GOLDEN) await writeFile(NODE_SOCKETS, nodeSockets());
    assert.equal(await readFile(NODE_SOCKETS, 'utf8'), nodeSockets());
  });

  it('refuses a value of another type, at any depth', () => {
    refused(
      'redis',
      { socket: { keepAlive: 5000 } },
      /'socket\.keepAlive' of redis here to be true or false, got 5000/,
    );
    refused(
      'redis',
      { commandOptions: { timeout: 'undefined' } },
      /'commandOptions\.timeout' .* a number, got "undefined"/,
    );
    refused('redis', { RESP: 4 }, /'RESP' .* 2 or 3, got 4/);
    refused('redis', { clientSideCache: { ttl: 'long' } }, /'clientSideCache\.ttl' .* a number/);
    refused('ioredis', { keepAlive: true }, /'keepAlive' .* a number, got true/);
    refused('ioredis', { redisOptions: { keepAlive: true } }, /'redisOptions\.keepAlive' .* a number/, [
      'cluster',
    ]);
    refused('ioredis', { scripts: { a: { lua: 5 } } }, /'scripts\.a\.lua' .* text, got 5/);
    refused('iovalkey', { familyFallback: { enabled: 1 } }, /'familyFallback\.enabled' .* true or false/);
    refused('valkey-glide', { readFrom: 'nearest' }, /'readFrom' .* "primary", .* got "nearest"/);
    refused(
      'valkey-glide',
      { connectionBackoff: { factor: '2' } },
      /'connectionBackoff\.factor' .* a number/,
    );
  });

  it('refuses a name that is not there, with the nearest', () => {
    refused(
      'redis',
      { socket: { keepAliv: true } },
      /'socket\.keepAliv' \(did you mean 'socket\.keepAlive'\?\)/,
    );
    refused('ioredis', { tls: { servernam: 'a' } }, /did you mean 'tls\.servername'/);
    refused('ioredis', { redisOptions: { noDelai: true } }, /did you mean 'redisOptions\.noDelay'/, [
      'cluster',
    ]);
    refused('valkey-glide', { advancedConfiguration: { connectionTimout: 1 } }, /connectionTimeout'\?/);
  });

  it('refuses what the client ignores in every topology that is measured', () => {
    refused(
      'redis',
      { masterPoolSize: 4 },
      /does nothing with --topology standalone: redis here has it for --topology sentinel/,
    );
    refused('ioredis', { slotsRefreshTimeout: 5000 }, /has it for --topology cluster/, [
      'standalone',
      'sentinel',
    ]);
    assert.deepEqual(check('ioredis', { slotsRefreshTimeout: 5000 }, ['standalone', 'cluster']), []);
    refused('ioredis', { redisOptions: { enableOfflineQueue: false } }, /unknown option/, ['cluster']);
  });

  it('takes what is not set, and says what is not declared', () => {
    assert.deepEqual(check('redis', { commandOptions: { timeout: undefined }, socket: null }), []);
    assert.deepEqual(check('raw', { anything: 1 }), []);
    const own = /** @type {ClientPlugin} */ (/** @type {unknown} */ ({ id: 'own', variants: {} }));
    const ofOwn = { client: own, version: null, main: null };
    assert.deepEqual(checkDeclared({ depth: 1 }, 'x', ofOwn, ['standalone']), ['depth']);
  });

  for (const { name, client } of tested) {
    it(`has every option that a variant of ${name} sets, or says so`, () => {
      for (const variant of Object.keys(client.variants)) {
        const expected = name.startsWith('redis@4') && variant === 'careful' ? LATER_THAN_4 : [];
        assert.deepEqual(missingIn(variant, measured(name)), expected, variant);
      }
    });
  }

  const has = (/** @type {string} */ name) =>
    tested.some((each) => each.name.startsWith(name)) ? it : it.skip;

  has('redis@4')('reads the types of the release that is measured', () => {
    assert.deepEqual(check('redis@4', { socket: { keepAlive: 5000 } }), []);
    refused('redis@4', { socket: { keepAlive: true } }, /'socket\.keepAlive'/);
    assert.deepEqual(check('redis@4', { isolationPoolOptions: { min: 1 } }), []);
    refused('redis', { isolationPoolOptions: { min: 1 } }, /unknown option/);
  });

  has('ioredis@4')('says that a release without types was not checked', () => {
    assert.deepEqual(check('ioredis@4', { keepAlive: 1, tls: { a: 1 } }), ['keepAlive', 'tls']);
  });

  skipMissing(missing);
});
