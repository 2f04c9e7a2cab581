import assert from 'node:assert/strict';
import { typedFor } from '../../src/commands/agents/job-request.js';
import command from '../../src/commands/benchmark/index.js';
import { messageOf, UsageError } from '../../src/errors.js';
import { checkVariant } from '../../src/options/client-options.js';
import { loadPlugins } from '../../src/plugins/registry.js';
import { secretsIn, withoutSecrets } from '../../src/process/secrets.js';
import { describeOptions } from '../../src/worker/cell-parts.js';
import { runMain } from '../helpers/main.js';

const CANARY = 'C4nary';
const PEM = `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----`;

/** Each kind of secret that a client's options may hold, by where it stands. @type {Record<string, object>} */
const OPTIONS = {
  'tls.key': { tls: { key: CANARY } },
  'tls.cert': { tls: { cert: CANARY } },
  'tls.pfx': { tls: { pfx: CANARY } },
  'tls.passphrase': { tls: { passphrase: CANARY } },
  'tls.ticketKeys': { tls: { ticketKeys: [1, CANARY] } },
  'tls.session': { tls: { session: CANARY } },
  'socket.key': { socket: { key: [{ pem: CANARY, passphrase: CANARY }] } },
  'socket.pfx': { socket: { pfx: CANARY } },
  auth: { auth: CANARY },
  auth_pass: { auth_pass: CANARY },
  pwd: { pwd: CANARY },
  'redisOptions.sentinelPassword': { redisOptions: { sentinelPassword: CANARY } },
  apiKey: { apiKey: CANARY },
  credentials: { credentials: { password: CANARY } },
  'advancedConfiguration.tlsAdvancedConfiguration.rootCertificates': {
    advancedConfiguration: { tlsAdvancedConfiguration: { rootCertificates: CANARY } },
  },
  proxy: { proxy: `http://user:${CANARY}@proxy:3128` },
  'proxies.1': { proxies: ['http://proxy', `http://user:a/${CANARY}@proxy`] },
  agent: { agent: `https://proxy/?access_token=${CANARY}` },
  note: { note: `like this: ${PEM}` },
};

/** @param {object} clientOptions @param {{isPrivate: boolean}} options what a job for agents would hold */
async function send(clientOptions, { isPrivate }) {
  const settings = { seed: 1, machines: [1], config: { redis: clientOptions } };
  const asked = {
    options: { url: `redis://:${CANARY}@target`, queueToken: CANARY },
    command,
    suite: { options: {} },
  };
  const prepared = { settings, catalogue: { folders: {} }, cells: [], sources: [], releases: new Map() };
  try {
    const typed = await typedFor(
      /** @type {any} */ ({ isPrivate }),
      /** @type {any} */ (asked),
      /** @type {any} */ (prepared),
    );
    return { failure: null, sent: JSON.stringify(typed) };
  } catch (error) {
    return { failure: messageOf(error), sent: '' };
  }
}

describe('a secret among the options of a client', () => {
  for (const [place, options] of Object.entries(OPTIONS)) {
    it(`is neither shown, stored nor sent in the open: ${place}`, async () => {
      assert.ok(secretsIn(options).some((found) => place === found || found.startsWith(`${place}.`)));
      assert.ok(!JSON.stringify(describeOptions(options)).includes(CANARY));
      const { failure, sent } = await send(options, { isPrivate: false });
      assert.match(String(failure), /--config's '[\w.]+' is not sent through .* without TLS/);
      assert.ok(!`${failure}${sent}`.includes(CANARY), sent);
      assert.ok((await send(options, { isPrivate: true })).sent.includes(CANARY));
    });

    it(`is refused in a variant: ${place}`, () => {
      const client = /** @type {any} */ ({ id: 'own', options: Object.keys(options), variants: {} });
      const check = () => checkVariant(/** @type {any} */ (options), 'own:a', client);
      assert.throws(check, (error) => error instanceof UsageError && !error.message.includes(CANARY));
    });
  }

  it('of the server or the queue is never sent', async () => {
    const { failure, sent } = await send({ keepAlive: 1 }, { isPrivate: true });
    assert.equal(failure, null);
    assert.ok(sent.includes('keepAlive') && !sent.includes(CANARY), sent);
  });

  it('is not seen in what clients are tuned by', async () => {
    const options = [...(await loadPlugins('clients')).values()].flatMap((client) => client.options ?? []);
    assert.ok(options.length > 50);
    assert.deepEqual(secretsIn(Object.fromEntries(options.map((name) => [name, 1]))), []);
    assert.deepEqual(
      secretsIn({ tls: { servername: 'a', rejectUnauthorized: false }, socket: { noDelay: 1 } }),
      [],
    );
  });
});

describe('a secret in a text', () => {
  for (const text of [
    `cannot reach redis://user:${CANARY}@host:1/2`,
    `cannot reach rediss://${CANARY}@host`,
    `neither 'redis://:a/${CANARY}@host' nor "redis://a:b@${CANARY}@host"`,
    `GET https://host/x?a=b&password=${CANARY}&c=d failed`,
    `no key: ${PEM}`,
    `no key: -----BEGIN RSA PRIVATE KEY-----${CANARY}`,
  ]) {
    it(`is masked: ${text.split('\n')[0]}`, () => {
      assert.ok(!withoutSecrets(text).includes(CANARY), withoutSecrets(text));
      assert.ok(!messageOf(new Error(text)).includes(CANARY));
    });
  }

  it('leaves the rest as it is', () => {
    for (const text of [
      'nothing answers at redis://host:6379/2; tell admin@example.com',
      "Cannot find module 'file:///srv/node_modules/@valkey/valkey-glide/index.js'",
      'GET https://host/x?size=1&count=2',
      'redis@5.8.0 and @redis/client@5.8.0',
    ]) {
      assert.equal(withoutSecrets(text), text);
    }
  });

  for (const args of [
    [`redis://user:${CANARY}@host`],
    [`--urll=redis://user:${CANARY}@host`],
    ['--runs', `redis://user:${CANARY}@host`],
    ['report', `redis://user:${CANARY}@host`],
    ['--scenarios', `redis://user:${CANARY}@host`],
    ['--socket', `redis://user:${CANARY}@host`],
    ['--server', `redis://user:${CANARY}@host`],
    ['--config', `redis://user:${CANARY}@host`],
    ['--url', `redis://user:${CANARY}@host:port`],
    ['--agents', `:${CANARY}@host`],
    ['agents', '--queue', `redis://user:${CANARY}@host:port`],
    ['agents', '--queue', `:${CANARY}@host`],
    ['agent', '--queue', 'redis://127.0.0.1:1', '--allow', `:${CANARY}@host`],
    ['agent', '--queue', 'redis://127.0.0.1:1', '--allow', `http://user:${CANARY}@host`],
    ['agent', '--queue', 'redis://127.0.0.1:1', '--name', `redis://user:${CANARY}@host`],
  ]) {
    it(`is in no error where it was given in the wrong place: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runMain(args, { DEBUG: '1' });
      assert.notEqual(code, 0);
      assert.ok(stderr.length > 20);
      assert.ok(!(stdout + stderr).includes(CANARY), stdout + stderr);
    });
  }

  /** Every command that can carry a secret, whole, in pieces, and with quotes that do not fit. */
  const COMMANDS = [
    `AUTH ${CANARY}`,
    `auth user ${CANARY}`,
    `HELLO 3 AUTH user ${CANARY}`,
    `ACL SETUSER a on >${CANARY} ~*`,
    `CONFIG SET requirepass ${CANARY}`,
    `config set masterauth ${CANARY}`,
    `MIGRATE host 1 {key} 0 10 AUTH ${CANARY}`,
    `MIGRATE host 1 "" 0 10 AUTH2 user ${CANARY} KEYS {key}`,
    `CLIENT SETNAME ${CANARY}`,
    `SENTINEL SET main auth-pass ${CANARY}`,
    `"AUTH ${CANARY}`,
    `'AUTH ${CANARY}'`,
    `AUTH "${CANARY}`,
    `au'th ${CANARY}`,
    `GET {key} ; AUTH ${CANARY}`,
    `SET {key} redis://user:${CANARY}@host`,
    `SET {key} {value} ; SET {key} "${PEM}"`,
  ];
  const IN_WRONG_PLACES = COMMANDS.slice(0, 3);
  /** @param {string} command */
  const wrongPlacesOf = (command) => [
    ['--workload', `get,command:${command}`],
    ['--workload', `mix:get=1,${command}=2`],
    ['--workload', command],
    ['--scenarios', command],
    ['--runs', command],
    [command],
    ['report', command],
    [`--comand=${command}`],
    ['messages', '--command', command],
    ['--command', command, '--agents', 'redis://127.0.0.1:1'],
  ];
  for (const command of COMMANDS)
    it(`is in no refusal of a command: ${command.split('\n')[0]}`, async () => {
      for (const args of [
        ['--command', command],
        ['--command', 'GET {key}', '--prepare', command],
        ['--command', 'GET {key}', '--then', command],
        ['--workload', `command:${command}`],
        ...(IN_WRONG_PLACES.includes(command) ? wrongPlacesOf(command) : []),
      ]) {
        const where = ['--url', 'redis://127.0.0.1:1', '--smoke'];
        const { code, stdout, stderr } = await runMain(
          ['report', 'messages'].includes(args[0]) ? args : [...where, ...args],
          { DEBUG: '1' },
        );
        assert.notEqual(code, 0);
        assert.doesNotMatch(stderr, /a bug in this tool/);
        assert.ok(!(stdout + stderr).includes(CANARY), `${args.join(' ')}\n${stdout}${stderr}`);
      }
    });

  it('takes a megabyte of what looks like URLs, and reads it once', () => {
    const text = 'redis://'.repeat(125_000);
    assert.equal(withoutSecrets(text), text);
    assert.equal(withoutSecrets(`${text}u:p@host`), 'redis://***@host');
  });
});
