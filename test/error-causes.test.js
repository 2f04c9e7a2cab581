import assert from 'node:assert/strict';
import { nameOfCause, withAdvice } from '../src/error-causes.js';

describe('causes', () => {
  it('names a remedy once, however often it is asked for', () => {
    const told = withAdvice('OOM command not allowed');
    assert.equal(withAdvice(`operations failed: ${told}`), `operations failed: ${told}`);
  });

  // As servers, clients and systems write them.
  for (const [text, name] of [
    ['ERR max number of clients reached', 'max clients'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ["READONLY You can't write against a read only replica.", 'READONLY'],
    ['a message was lost: it had not arrived after 5 s', 'message lost'],
    ['LOADING Redis is loading the dataset in memory', 'LOADING'],
    ['Failed to refresh slots cache: timeout', 'slots cache'],
    ['NOAUTH Authentication required.', 'NOAUTH'],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
    ['ERR AUTH <password> called without any password configured for the default user.', 'no password'],
    ["NOPERM this user has no permissions to run the 'set' command", 'NOPERM'],
    ['MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk', 'MISCONF'],
    ['BUSY Redis is busy running a script. You can only call SCRIPT KILL', 'BUSY'],
    ['CLUSTERDOWN Hash slot not served', 'CLUSTERDOWN'],
    ['connect EADDRNOTAVAIL 127.0.0.1:6379 - Local (127.0.0.1:40001)', 'EADDRNOTAVAIL'],
    ['connect EMFILE 127.0.0.1:6379', 'EMFILE'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED'],
    ['read ECONNRESET', 'connection lost'],
    ['write EPIPE', 'connection lost'],
    ['Socket closed unexpectedly', 'connection lost'],
    ['Connection is closed.', 'connection lost'],
    ['The client is closed', 'connection lost'],
    ['the connection was closed', 'connection lost'],
    ['connect ETIMEDOUT', 'timeout'],
    ['Command timed out', 'timeout'],
    ['The operation was aborted due to timeout', 'timeout'],
  ]) {
    it(`${text}: ${name}`, () => {
      assert.equal(nameOfCause(text), name);
    });
  }

  it('of what nobody knows is its code, else its text, unchanged', () => {
    assert.equal(
      nameOfCause('WRONGTYPE Operation against a key holding the wrong kind of value'),
      'WRONGTYPE',
    );
    assert.equal(nameOfCause('something new'), 'something new');
    assert.equal(withAdvice('something new'), 'something new');
  });

  for (const [text, hint] of /** @type {[string, RegExp][]} */ ([
    [
      'Connection error: Standalone(Received error for address `h:1`: OOM: command not allowed',
      / \(the server's memory is full.* raise its maxmemory/,
    ],
    ['ERR Error running script: -OOM command not allowed', /raise its maxmemory/],
    [
      "NOPERM this user has no permissions to run the 'cluster|slots' command",
      /allow it: ACL SETUSER USER \+cluster\|slots\)$/,
    ],
    ['NOPERM this user has no permissions to access one of the keys', /begin with 'rpb:'\)$/],
  ]))
    it(`a hint follows where the cause is known: ${text}`, () => assert.match(withAdvice(text), hint));

  for (const text of [
    'Socket closed unexpectedly',
    'Connection is closed.',
    'Connection error: Standalone(Received error for address `127.0.0.1:1`: timed out',
    'connect ECONNREFUSED 127.0.0.1:1',
    'Command timed out',
    'self-signed certificate in certificate chain',
    'DENIED Redis is running in protected mode because protected mode is enabled and no password is set',
    'the key OOM is unknown',
    'ENFILE: file table overflow',
  ])
    it(`none where it is not: ${text}`, () => assert.equal(withAdvice(text), text));
});
