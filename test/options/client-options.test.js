import assert from 'node:assert/strict';
import { addressMapOf, readClientOptions } from '../../src/options/client-options.js';
import { loadPlugins } from '../../src/plugins/registry.js';

const clients = await loadPlugins('clients');
const BOTH = ['redis', 'ioredis'];

/** @param {unknown} config @param {string[]} [measured] */
const read = (config, measured = BOTH) => readClientOptions(config, '--config c.json', measured, clients);

describe('options/client-options', () => {
  it('takes an empty object for no options', () => {
    assert.deepEqual(read({}), { options: { redis: {}, ioredis: {} }, warnings: [] });
  });

  it('gives each client its own', () => {
    const { options, warnings } = read({ redis: { readonly: true }, ioredis: { noDelay: false } });
    assert.deepEqual(options, { redis: { readonly: true }, ioredis: { noDelay: false } });
    assert.deepEqual(warnings, []);
  });

  it('ignores those of a client that is not measured', () => {
    assert.deepEqual(read({ ioredis: { noDelay: false } }, ['redis']).options, { redis: {} });
  });

  it('gives options for all to those who know them, and reports who does not', () => {
    const { options, warnings } = read({ noDelay: false, disableClientInfo: true }, [...BOTH, 'raw']);
    assert.deepEqual(options, {
      redis: { disableClientInfo: true },
      ioredis: { noDelay: false, disableClientInfo: true },
      raw: {},
    });
    assert.deepEqual(warnings, [
      { kind: 'option-unknown', source: '--config c.json', clients: ['redis'], option: 'noDelay' },
    ]);
  });

  it('refuses what none of them knows, with the nearest name', () => {
    assert.throws(
      () => read({ noDelai: false }),
      /in --config c\.json 'noDelai' \(did you mean 'noDelay'\?\)/,
    );
    assert.throws(() => read({ redis: { noDelay: true } }), /in --config c\.json, redis 'noDelay'/);
    assert.throws(() => read(JSON.parse('{"__proto__": {"polluted": 1}}')), /'__proto__'/);
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });

  it('refuses what names the server or a secret, and never shows its value', () => {
    for (const name of ['url', 'host', 'password', 'keyPrefix']) {
      assert.throws(
        () => read({ [name]: 'hunter2' }),
        (/** @type {Error} */ { message }) => message.includes(`'${name}'`) && !message.includes('hunter2'),
      );
    }
  });

  it('refuses them at any depth, but for what maps the addresses of a cluster', () => {
    for (const [name, config] of /** @type {[string, any][]} */ ([
      ['socket.host', { redis: { socket: { host: 'other' } } }],
      ['redisOptions.password', { ioredis: { redisOptions: { password: 'hunter2' } } }],
      ['redisOptions.tls.port', { redisOptions: { tls: { port: 1 } } }],
    ])) {
      assert.throws(
        () => read(config),
        (/** @type {Error} */ { message }) => message.includes(`'${name}'`) && !message.includes('hunter2'),
      );
    }
    const addresses = { redis: { nodeAddressMap: { '10.0.0.1:1': { host: '127.0.0.1', port: 2 } } } };
    assert.deepEqual(read(addresses, ['redis']).options, addresses);
    assert.deepEqual(
      addressMapOf([addresses.redis, { natMap: { 'a:1': { host: 'b', port: 2 } } }, { readOnly: true }]),
      { ...addresses.redis.nodeAddressMap, 'a:1': { host: 'b', port: 2 } },
    );
  });

  it('refuses what is no object', () => {
    for (const config of [[], null, 'text', 5, { redis: 5 }]) assert.throws(() => read(config), /expected/);
  });

  it('knows every option that a variant of a client sets', () => {
    for (const { id, variants, options = [] } of clients.values()) {
      for (const names of Object.values(variants).map(Object.keys)) {
        for (const name of names) assert.ok(options.includes(name), `${id}: ${name}`);
      }
    }
  });
});
