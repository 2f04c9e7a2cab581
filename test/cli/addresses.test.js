import assert from 'node:assert/strict';
import { assertRefused, runMain } from '../helpers/main.js';

const ENCODE =
  "one with an '@' after a '/', '?' or '#': percent-encode the password ('/' as %2F, '?' as %3F, '#' as %23)";
const AFTER =
  "one with something after '?' or '#' that is not ?db=NUMBER; a client's options go with it: --clients 'ioredis{family:6}'";
const DATABASE = "one whose '/' after the host is not followed by a database number";
const NO_URL = 'something that is no URL';
const PERCENT = "one with a '%' that is not written as '%25'";

/** What is wrong with each address. */
const ADDRESSES = {
  'redis://default:p@ss/Secr3t?x@127.0.0.1:1': ENCODE,
  'redis://default:6379#Secr3t@host': ENCODE,
  'redis://default:6379?Secr3t@host': ENCODE,
  'redis://default:12/Secr3t@host/0': ENCODE,
  'rediss://user:Secr3t+/dEf==@host:6380': ENCODE,
  'unix://:Secr3t/x@/run/redis.sock': ENCODE,
  'unix:///run/redis.sock?Secr3t@x': ENCODE,
  'redis://:Secr3t%@host': PERCENT,
  'redis://me:Secr3t@host:port': NO_URL,
  'redis://me:Secr3t': NO_URL,
  'redis://:Secr3t': NO_URL,
  'redis://default:6379/Secr3t': DATABASE,
  'redis://me:Secr3t@host/main': DATABASE,
  'redis://host:1/?password=Secr3t': AFTER,
  'redis://:Secr3t@host?family=6': AFTER,
  'redis://:Secr3t@host#6': AFTER,
  'unix://:Secr3t@host/run/redis.sock': 'one with a host: unix:///path has three slashes',
  'unix://:Secr3t@': NO_URL,
};

/** Every option that names an address. */
const OPTIONS = {
  '--url': (/** @type {string} */ address) => runMain(['--url', address]),
  REDIS_URL: (/** @type {string} */ address) => runMain([], { REDIS_URL: address }),
  'record --url': (/** @type {string} */ address) => runMain(['record', '--url', address]),
  'clean --url': (/** @type {string} */ address) => runMain(['clean', '--url', address]),
  'calibrate --url': (/** @type {string} */ address) => runMain(['calibrate', '--url', address]),
  'the second of --url': (/** @type {string} */ address) =>
    runMain(['--url', `near=redis://127.0.0.1:1,far=${address}`]),
  '--sentinel': (/** @type {string} */ address) =>
    runMain(['--topology', 'sentinel', '--sentinel', address, '--master-name', 'main']),
  '--master-name': (/** @type {string} */ address) =>
    runMain(['--topology', 'sentinel', '--sentinel', '127.0.0.1:1', '--master-name', address]),
  '--agents': (/** @type {string} */ address) => runMain(['--agents', address]),
  RPB_QUEUE: (/** @type {string} */ address) => runMain(['agent'], { RPB_QUEUE: address }),
  '--allow': (/** @type {string} */ address) =>
    runMain(['agent', '--queue', 'redis://127.0.0.1:1', '--allow', address]),
};

describe('an address that means something else than its user thinks', () => {
  for (const [option, run] of Object.entries(OPTIONS))
    it(`is refused by ${option} in one line, without any part of a password`, async () => {
      const printed = await Promise.all(Object.keys(ADDRESSES).map(run));
      const origin = /\S+$/.exec(option)?.[0];
      for (const [index, [address, found]] of Object.entries(ADDRESSES).entries()) {
        const { code, stdout, stderr } = printed[index];
        assert.deepEqual(
          [code, stdout, stderr],
          [
            2,
            '',
            `redis-pipe-bench: ${origin}: expected a URL such as redis://127.0.0.1:6379, got ${found}\n`,
          ],
          address,
        );
      }
    });

  const { 'the second of --url': _, ...others } = OPTIONS;
  const bare =
    'user:Secr3t+/dEf==@host default:Secr3t@host:6379 unix:Secr3t Secr3t:1/2 http://me:Secr3t@host';
  for (const [option, run] of Object.entries(others))
    for (const address of bare.split(' '))
      it(`is refused by ${option} without redis:// too: ${address}`, async () => {
        const { code, stdout, stderr } = await run(address);
        assert.deepEqual([code, stdout], [2, ''], stderr);
        assert.match(stderr, /^redis-pipe-bench: [^\n]+\n$/);
        assert.doesNotMatch(stderr, /Secr3t|dEf/);
      });

  it('is refused by --socket, which takes paths', () =>
    assertRefused(['--socket', 'redis://:Secr3t@host'], /^redis-pipe-bench: --socket: .* to --url\n$/));

  it('is not shown where it stands for a command', () =>
    assertRefused(['redis://me:p@ss/Secr3t?x@host'], /^[^S]+$/));
});
