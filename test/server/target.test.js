import assert from 'node:assert/strict';
import { UsageError } from '../../src/errors.js';
import { externalTarget, isLoopback, labelOf, parseUrl } from '../../src/server/target.js';

/** @param {string} text what is set, without what is undefined */
const parsed = (text) => JSON.parse(JSON.stringify(parseUrl(text)));

/** @param {string} text @param {string} [origin] @returns {string} the message */
function complaint(text, origin) {
  try {
    parseUrl(text, origin);
  } catch (error) {
    assert.ok(error instanceof UsageError, `expected a UsageError, got ${error}`);
    return error.message;
  }
  throw new Error(`'${text}' was taken for a URL of a server`);
}

describe('server/target', () => {
  describe('parseUrl', () => {
    for (const [text, target] of /** @type {[string, object][]} */ ([
      ['redis://127.0.0.1:7000', { transport: 'tcp', host: '127.0.0.1', port: 7000 }],
      ['redis://example.org', { transport: 'tcp', host: 'example.org', port: 6379 }],
      ['redis://example.org/', { transport: 'tcp', host: 'example.org', port: 6379 }],
      ['redis://h:1/5', { transport: 'tcp', host: 'h', port: 1, database: 5 }],
      ['redis://h/0', { transport: 'tcp', host: 'h', port: 6379, database: 0 }],
      ['rediss://h:1', { transport: 'tls', host: 'h', port: 1 }],
      ['redis://[::1]:7000', { transport: 'tcp', host: '::1', port: 7000 }],
      ['redis://[2001:db8::1]/2', { transport: 'tcp', host: '2001:db8::1', port: 6379, database: 2 }],
      ['redis://:secret@h', { transport: 'tcp', host: 'h', port: 6379, password: 'secret' }],
      ['redis://me@h', { transport: 'tcp', host: 'h', port: 6379, username: 'me' }],
      [
        'redis://me:secret@h',
        { transport: 'tcp', host: 'h', port: 6379, username: 'me', password: 'secret' },
      ],
      [
        'redis://m%40e:p%2Fa%3Ass%25%20%C3%A9@h',
        { transport: 'tcp', host: 'h', port: 6379, username: 'm@e', password: 'p/a:ss% é' },
      ],
      ['valkey://h', { transport: 'tcp', host: 'h', port: 6379 }],
      ['valkeys://:pw@h:1/2', { transport: 'tls', host: 'h', port: 1, password: 'pw', database: 2 }],
      ['unix:///run/redis.sock', { transport: 'unix', path: '/run/redis.sock' }],
      ['unix:///run/my%20redis.sock', { transport: 'unix', path: '/run/my redis.sock' }],
      ['unix:///run/a@b.sock', { transport: 'unix', path: '/run/a@b.sock' }],
      ['unix://:pw@/run/r.sock', { transport: 'unix', path: '/run/r.sock', password: 'pw' }],
      [
        'unix://me:p%2Fw@/run/r.sock?db=2',
        { transport: 'unix', path: '/run/r.sock', username: 'me', password: 'p/w', database: 2 },
      ],
      ['redis://h?db=3', { transport: 'tcp', host: 'h', port: 6379, database: 3 }],
      ['redis://h:1/?db=3', { transport: 'tcp', host: 'h', port: 1, database: 3 }],
    ])) {
      it(`reads ${text}`, () => assert.deepEqual(parsed(text), target));
    }

    for (const text of [
      '',
      'nope',
      '127.0.0.1:6379',
      'redis://',
      'redis://h:port',
      'redis://h:70000',
      'http://h',
    ]) {
      it(`refuses '${text}' and shows what it expects`, () => {
        assert.match(complaint(text), /^--url: expected a URL such as redis:\/\/127\.0\.0\.1:6379, got /);
      });
    }

    it('refuses a database that is no number, without showing what may be a password', () => {
      assert.match(complaint('redis://h/main'), /^--url: .* not followed by a database number$/);
    });
    it('refuses two databases', () => assert.match(complaint('redis://h/1?db=2'), /two databases$/));

    it('names where the URL came from', () => assert.match(complaint('nope', 'REDIS_URL'), /^REDIS_URL: /));

    for (const text of [
      'redis://me:S3cret@h:port',
      'redis://me:S3cret@h/main',
      'redis:/me:S3cret@h',
      'http://me:S3cret@h',
      'me:S3cret@h:6379',
      ':S3cret@h:6379',
      'S3cret@h',
      '//me:S3cret@h',
      // Characters that should have been written with %: the URL then means something else.
      'redis://me:12/S3cret@h',
      'redis://me:S3cret%@h',
      'redis://me:1#S3cret@h:x',
    ]) {
      it(`does not show the password of ${text}`, () => {
        let message = '';
        try {
          parseUrl(text);
        } catch (error) {
          message = /** @type {Error} */ (error).message;
        }
        assert.ok(!message.includes('S3cret'), message);
      });
    }

    for (const text of ['redis://me:100%@h', 'redis://100%:x@h', 'unix:///run/100%.sock']) {
      it(`says what is wrong with the % of ${text}`, () => assert.match(complaint(text), /^--url: /));
    }
  });

  describe('externalTarget', () => {
    it('is none where none is named', () => assert.equal(externalTarget({}), null));
    it('is the socket', () => {
      assert.deepEqual(externalTarget({ socket: '/run/r.sock' }), { transport: 'unix', path: '/run/r.sock' });
    });
    it('is the URL', () => assert.equal(externalTarget({ url: 'redis://h:1' })?.port, 1));
  });

  describe('labelOf', () => {
    for (const [text, label] of [
      ['redis://me:S3cret@h:7000/3', 'h:7000'],
      ['redis://[::1]:7000', '[::1]:7000'],
      ['unix:///run/r.sock', '/run/r.sock'],
    ]) {
      it(`is ${label} for ${text}`, () => assert.equal(labelOf(parseUrl(text)), label));
    }
  });

  describe('isLoopback', () => {
    for (const text of [
      'redis://localhost',
      'redis://127.0.0.1',
      'redis://127.1.2.3',
      'redis://[::1]',
      'unix:///s',
    ]) {
      it(`holds for ${text}`, () => assert.equal(isLoopback(parseUrl(text)), true));
    }
    for (const text of ['redis://example.org', 'redis://10.0.0.1', 'redis://localhost.example.org']) {
      it(`does not hold for ${text}`, () => assert.equal(isLoopback(parseUrl(text)), false));
    }
  });
});
