import assert from 'node:assert/strict';
import { parseClient } from '../../src/options/client-options.js';
import { codeText } from '../../src/options/inline-options.js';
import { clientList } from '../../src/options/values.js';

describe('options/client-names', () => {
  const clients = /** @type {Map<string, any>} */ (
    new Map([
      ['redis', { id: 'redis', variants: { default: {}, tuned: {} }, options: ['RESP', 'name', 'socket'] }],
      ['ioredis', { variants: { default: {} } }],
    ])
  );

  for (const [name, wanted, variant] of [
    ['redis@5', '5', 'default'],
    ['redis@5.8:tuned', '5.8', 'tuned'],
    ['redis@^5.1.0 || 4', '^5.1.0 || 4', 'default'],
    ['redis@>=4.7 <6:tuned', '>=4.7 <6', 'tuned'],
    ['redis@6.0.0-beta.1+build', '6.0.0-beta.1+build', 'default'],
    ['redis@latest', 'latest', 'default'],
    ['redis@path:../a fork/redis-6.4.0.tgz', 'path:../a fork/redis-6.4.0.tgz', 'default'],
    ['redis@path:/work/fork:tuned', 'path:/work/fork', 'tuned'],
  ]) {
    it(`reads the release of ${name}`, () => {
      assert.deepEqual(parseClient(name, clients), { client: 'redis', variant, wanted });
    });
  }

  for (const name of [
    'redis@',
    'redis@:tuned',
    'redis@path:',
    'redis@../fork',
    'redis@--registry=x',
    'redis@a;b',
  ]) {
    it(`refuses '${name}', and says what a release looks like`, () => {
      assert.throws(() => parseClient(name, clients), {
        name: 'UsageError',
        message: /expected a release after the @, such as redis@5/,
      });
    });
  }

  it('offers the nearest client also where a release is asked for', () => {
    assert.throws(() => parseClient('rediss@5', clients), { message: /did you mean 'redis'/ });
  });

  it('offers the nearest client and the nearest variant', () => {
    assert.throws(() => parseClient('iorediss', clients), { name: 'UsageError', message: /'ioredis'/ });
    assert.throws(() => parseClient('redis:tund', clients), {
      name: 'UsageError',
      message: /unknown redis variant 'tund' \(did you mean 'tuned'\?\)/,
    });
  });

  for (const name of ['redis:', ':tuned', 'redis:tuned:more']) {
    it(`refuses '${name}'`, () => assert.throws(() => parseClient(name, clients), { name: 'UsageError' }));
  }

  it('reads options of the user behind a name, and names them the same in whatever order', () => {
    const written = 'redis@5:tuned{socket:{keepAlive:true}, RESP: 2, name: "a b"}';
    assert.deepEqual(parseClient(written, clients), {
      client: 'redis',
      wanted: '5',
      variant: 'tuned{RESP:2,name:"a b",socket:{keepAlive:true}}',
      own: { base: 'tuned', options: { socket: { keepAlive: true }, RESP: 2, name: 'a b' } },
    });
    assert.equal(parseClient('redis{RESP:2,name:x}', clients).variant, '{RESP:2,name:x}');
    assert.equal(parseClient('redis{name:x,RESP:2}', clients).variant, '{RESP:2,name:x}');
    assert.equal(parseClient('redis:{RESP:2}', clients).variant, '{RESP:2}');
    assert.equal(parseClient('redis{socket:[1, "a b", []]}', clients).variant, '{socket:[1,"a b",[]]}');
  });

  it('a list of clients is not separated inside of options', () => {
    const names = ['redis{RESP:2,name:"a,b{"}', 'ioredis', 'redis'];
    assert.deepEqual(clientList(names.join(',')), names);
    assert.deepEqual(clientList(names), names);
    assert.throws(() => clientList('redis{RESP:2,ioredis'), /expected a '\}'/);
  });

  it('writes options as code, unless a function is among them', () => {
    assert.equal(
      codeText({ timeout: undefined, deep: { in: [{ a: "it's" }] } }),
      `{ timeout: undefined, deep: { in: [ { a: "it's" } ] } }`,
    );
    assert.equal(codeText({ socket: { reconnectStrategy: () => 1 } }), null);
  });

  for (const [what, name, message] of [
    ['an unknown option', 'redis{RESPP:2}', /in --clients redis\{…\} 'RESPP' \(did you mean 'RESP'\?\)/],
    ['another server', 'redis{socket:{host:hunter2}}', /'socket\.host' is set by this tool/],
    ['a password', 'redis{password:hunter2}', /'password' is set by this tool/],
    ['a secret', 'redis{socket:{key:hunter2}}', /'socket\.key' may hold a secret/],
    ['a password in a URL', 'redis{name:"redis://me:hunter2@host"}', /'name' may hold a secret/],
    ['no end', 'redis{RESP:2', /expected options as in/],
    ['more after the end', 'redis{RESP:2}hunter2', /expected options as in/],
    ['nothing', 'redis{}', /expected options between the braces/],
    ['a prototype', 'redis{socket:{__proto__:{a:1}}}', /'__proto__' is no option/],
    ['an option twice', 'redis{RESP:2,RESP:3}', /an option is given twice/],
  ]) {
    it(`refuses options with ${what}, and shows no value`, () => {
      assert.throws(
        () => parseClient(String(name), clients),
        (/** @type {Error} */ error) =>
          error.name === 'UsageError' &&
          /** @type {RegExp} */ (message).test(error.message) &&
          !error.message.includes('hunter2'),
      );
    });
  }
});
