import { tmpdir } from 'node:os';
import { assertRefused } from '../helpers/main.js';

/** @param {string[]} commands */
const mixOf = (...commands) => commands.flatMap((command) => ['--command', command, '--share', '1']);

describe('cli/usage: one clear message, exit 2, about', () => {
  describe('options:', () => {
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [['--clients', 'rediss'], /unknown client 'rediss' \(did you mean 'redis'\?\)/],
      [['--clients', '@upstash/redis'], /unknown client '@upstash\/redis'; .* 'redis-pipe-bench init client/],
      [['--clients', '@upstash/redis@1:fast{a:1}'], /unknown client '@upstash\/redis';/],
      [['--clients', '@valkey/valkey-glide@2'], /'@valkey\/valkey-glide': here it is called 'valkey-glide'/],
      [['break', 'cut', '--workload', 'queue'], /break cannot break 'queue'; .*measures it, without a fault/],
      [
        ['--topology', 'sentinel', '--read-from', 'replica', '--clients', 'ioredis'],
        /measure it with a client of your own/,
      ],
      [['--clients', 'redis:tund'], /variant 'tund' \(did you mean 'tuned'\?\)/],
      [['--scenarios', 'shared'], /unknown scenario 'shared' \(did you mean 'shared-connection'\?\)/],
      [['--workload', 'gett'], /unknown workload 'gett' \(did you mean 'get'\?\)/],
      [['--pipelining', 'implict'], /'implict' \(did you mean 'implicit'\?\)/],
      [['--suite', 'pipelining'], /unknown suite 'pipelining' \(did you mean 'pipelining-test'\?\)/],
      [['--suite', './ours.json'], /unknown suite '\.\/ours\.json'; there are connection-use, /],
      [['--taks', '8'], /unknown option '--taks'.*--tasks/],
      [['lsit'], /unknown command 'lsit' \(did you mean 'list'\?\)/],
      [['list', 'nonsense'], /nonsense/],
      [['--format', 'tabel'], /--format: expected one of .*table, got 'tabel'/],
      [['--breakdown=yes'], /--breakdown: expected one of all, best, none, got 'yes'/],
      [['cold', '--smoke=1'], /--smoke takes no value; leave '=1' out/],
      [['cold', '--tasks=8'], /cold does not take --tasks; 'redis-pipe-bench cold --help'/],
      [['--clients', 'ioredis', 'cold'], /--clients stands before 'cold'; write it after.*: cold --clients/],
      [['--no-save', 'report', 'last'], /--no-save stands before 'report'; write it after/],
      [['--tasks', '0'], /--tasks: expected .*'0'/],
      [['--tasks', '-1'], /--tasks: expected .*'-1'/],
      [['--tasks', '1.5'], /--tasks: expected .*'1\.5'/],
      [['--tasks', '8,many'], /--tasks: expected .*'many'/],
      [['--tasks'], /--tasks <list>' argument missing/],
      [['--size', '0'], /--size: expected .*'0'/],
      [['--size', '512000001'], /--size: expected .*512mb/],
      [['--value-size', 'big'], /--value-size: expected .*'big'/],
      [['--key-size', '8'], /--key-size: expected at least 9.*'8'/],
      [['--value', 'json', '--size', '1'], /--value/],
      [['--pool-size', '0'], /--pool-size: expected .*'0'/],
      [['--runs', '0'], /--runs: expected .*'0'/],
      [['--iterations', 'few'], /--iterations: expected .*'few'/],
      [['--import', './otel.mjs', '--agents', 'local:2'], /agents load no file that another machine names/],
      [['--run-time', '300'], /--run-time: expected a time.*'300'/],
      [['--duration', '1s', '--iterations', '5'], /--duration and --iterations/],
      [['--rate', '0'], /--rate: expected operations per second.*'0'/],
      [['--rate', '-5'], /--rate: expected operations per second.*'-5'/],
      [['--rate', '1000', '--iterations', '5'], /--rate and --iterations both set the length of a run/],
      [['--rate', '1000', '--max-in-flight', '0'], /--max-in-flight: expected .*'0'/],
      [['--rate', '1000', '--max-in-flight', '1,2'], /--max-in-flight: with --rate expected one bound/],
      [['--rate', '1000', '--max-in-flight-bytes', 'lots'], /--max-in-flight-bytes: expected .*'lots'/],
      [['--rate', '1000', '--when-full', 'cry'], /--when-full: expected one of wait, drop, fail/],
      [['--rate', '1000', '--arrivals', 'late'], /--arrivals: expected one of even, poisson/],
      [['--when-full', 'drop'], /--when-full needs --rate or --rate-search/],
      [['--processes', '0'], /--processes: expected .*'0'/],
      [
        ['--rate', '9', '--processes', '3', '--max-in-flight', '2'],
        /--max-in-flight 2 is too low for 3 processes/,
      ],
      [
        ['--rate', '9', '--pipelining', 'explicit:9', '--max-in-flight', '8'],
        /--max-in-flight 8 is too low for .* batches of 9/,
      ],
      [['--transport', 'carrier-pigeon'], /--transport: expected/],
      [['--pin', 'down'], /--pin: expected/],
      [['--url', 'nope'], /--url: expected a URL/],
      [['--url', 'http://127.0.0.1:80'], /--url: expected a URL.* none of redis:/],
      [['--url', 'redis://127.0.0.1:6379/zero'], /--url: .*database number/],
      [['--url', 'redis://:100%@127.0.0.1:1'], /--url: /],
      [['--url', 'redis://127.0.0.1:1', '--socket', '/s'], /--url and --socket/],
      [['--url', 'redis://127.0.0.1:1', '--server-bin', '/s'], /--server-bin/],
      [['--server-bin', '/no/redis-server'], /--server-bin: expected .*does not exist/],
      [['--output', '/no/such/folder/result.json'], /--output: expected .*'\/no\/such\/folder'/],
      [['--output', tmpdir()], /--output: expected .*folder/],
      [['calibrate', '--depth', '0'], /--depth: expected/],
      [['calibrate', '--dept', '1'], /unknown option '--dept'/],
    ])) {
      it(args.join(' '), () => assertRefused(args, message));
    }
  });

  describe('a search for a rate:', () => {
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [
        ['--rate-search', '5000-100'],
        /^redis-pipe-bench: --rate-search: expected the lowest and the highest rate, .*'5000-100'/,
      ],
      [['--rate-search', '100'], /--rate-search: expected the lowest and the highest rate/],
      [['--rate-search', '0-100'], /--rate-search: expected operations per second/],
      [['--rate-search', '1-10', '--rate', '5'], /--rate-search and --rate both/],
      [
        ['--rate-search', '1-10', '--runs', '5'],
        /--rate-search and --runs both say which rates are tried, and how often/,
      ],
      [
        ['--rate-search', '1-10', '--iterations', '5'],
        /--rate-search and --iterations both set the length of a run/,
      ],
      [['--rate-search', '1-10', '--when-full', 'fail'], /use wait or drop/],
      [['--rate-search', '1-10', '--latency', 'off'], /--latency off records none/],
      [
        ['--rate-search', '1-10', '--assert', 'redis.p99Us < 1'],
        /--rate-search and --assert do not go together/,
      ],
      [['--slo', '5ms'], /--slo needs --rate or --rate-search/],
      [['--rate', '5', '--slo', '0ms'], /--slo: expected a time/],
    ])) {
      it(args.join(' '), () => assertRefused(args, message));
    }
  });

  describe('a command on a server of the user that may reach more than our keys needs --allow-scripts:', () => {
    for (const command of [
      `EVAL "return redis.call('FLUSHALL')" 0`,
      `EVAL_RO "return redis.call('GET', 'other')" 0`,
      'EVALSHA 0123456789012345678901234567890123456789 0',
      'EVALSHA_RO 0123456789012345678901234567890123456789 1 {key}',
      'FCALL f 1 {key}',
      'FCALL_RO f 0',
      'TFCALL lib.f 0',
      'TFCALLASYNC lib.f 0',
      'SCRIPT FLUSH',
      'FUNCTION FLUSH',
      'MOVE {key} 5',
      'COPY {key} {key} DB 6',
      'COPY {key} {key} REPLACE DB 6',
      'KEYS *',
      'RANDOMKEY',
      'FT.SEARCH index *',
      'NOSUCH {key}',
      'ZUNIONSTORE {key} {value} {key}',
      'GEORADIUS {key} 1 1 9 m {value} {key}',
    ]) {
      const on = ['--url', 'redis://127.0.0.1:1'];
      const name = command.split(' ')[0];
      const says = new RegExp(`${name} is not known to keep to this tool's keys.*--allow-scripts`);
      it(command, async () => {
        await assertRefused([...on, '--command', command], says);
      });
    }

    it('in a sequence and to prepare too', async () => {
      const args = ['--url', 'redis://127.0.0.1:1', '--command', 'GET {key}'];
      await assertRefused([...args, '--command', 'MOVE {key} 1'], /--command: MOVE is not known to keep/);
      await assertRefused([...args, '--prepare', 'MOVE {key} 1'], /--prepare: MOVE is not known to keep/);
    });
  });

  describe('pipelining and workloads:', () => {
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [['--pipelining', 'explicit:0'], /explicit:0.*expected the operations of a batch, from 1/],
      [['--pipelining', 'explicit'], /explicit.*as in explicit:10/],
      [['--pipelining', 'window:-1'], /window:-1.*expected microseconds from 0/],
      [['--pipelining', 'non'], /unknown pipelining mode 'non' \(did you mean 'none'\?\)/],
      [['--pipelining', 'none:3'], /none:3.*takes no argument/],
      [['--workload', 'mix:get=80,del=20'], /expected shares of get, set, exists.*got 'del=20'/],
      [['--workload', 'mix'], /mix:get=80,set=20/],
      [['--workload', 'per-process'], /per-process'.*such as per-process:set,exists/],
      [['--workload', 'per-process:set'], /expected set, .* each once, .*got 'set'/],
      [['--workload', 'per-process:set,set'], /expected set, .* each once, .*got 'set,set'/],
      [['--workload', 'per-process:set,hset'], /others of get, set, exists, .*got 'set,hset'/],
      [['--workload', 'per-process:get,exists'], /expected set, which stores the keys, .*got 'get,exists'/],
      [
        ['--workload', 'per-process:set,exists', '--rate', '9', '--max-in-flight', '1'],
        /too low for 2 processes/,
      ],
      [['--command', 'SET other {value}'], /the key 'other' is not this tool's; write \{key\}/],
      [['--command', 'FLUSHALL'], /FLUSHALL changes more than this tool's own keys/],
      [
        ['--command', 'BLPOP {key} 0'],
        /BLPOP waits: it needs a --share .*--command 'BLPOP \{missing\} 0\.1' --share 1/,
      ],
      [['--command', 'SUBSCRIBE news'], /SUBSCRIBE cannot be measured: it does not work on data/],
      [['--share', '80'], /--share: expected a --command before it/],
      [
        ['--command', 'GET {key}', '--share', '80'],
        /--share: expected several --command, each followed by its --share, got 1 --command and 1 --share/,
      ],
      [
        ['--command', 'GET {key}', '--share', '80', '--command', 'SET {key} 1'],
        /--share: expected several --command, each followed by its --share, got 2 --command and 1 --share/,
      ],
      [
        ['--command', 'GET {key}', '--command', 'SET {key} 1', '--share', '80'],
        /--share: expected one after each --command, got 1 after 2/,
      ],
      [
        ['--command', 'GET {key}', '--share', '80', '--share', '9', '--command', 'SET {key} 1'],
        /--share: expected one after each --command, got 2 after 1/,
      ],
      [
        ['--command', 'GET {key}', '--share', '0'],
        /--share: expected a whole number from 1 to 1000, got '0'/,
      ],
      [mixOf('GET {key}', 'GET {key}'), /two shares are 'GET \{key\}': give each a name/],
      [mixOf('GET {key}', 'BLPOP {missing} 0'), /BLPOP: expected a time of up to 5 s/],
      [mixOf('GET {key}', 'BLPOP {missing}'), /BLPOP: expected a time of up to 5 s/],
      [mixOf('GET {key}', 'BLPOP {missing} 6'), /BLPOP: expected a time of up to 5 s/],
      [mixOf('GET {key}', 'XREAD BLOCK 0 STREAMS {missing} 0'), /XREAD: expected a time of up to 5 s/],
      [
        mixOf('GET {key}', 'XREAD BLOCK 9 BLOCK 0 STREAMS {missing} 0'),
        /XREAD: expected a time of up to 5 s/,
      ],
      [mixOf('GET {key}', 'XREAD STREAMS {key} 0'), /XREAD waits: .* a time of up to 5 s/],
      [mixOf('GET {key}', 'BLPOP {key} 1'), /BLPOP: expected \{missing\}, .* got '\{key\}'/],
      [mixOf('GET {key}', 'BLPOP other 1'), /BLPOP: expected \{missing\}, .* got 'other'/],
      [mixOf('GET {key}', 'BLMOVE {missing} {key} LEFT LEFT 1'), /BLMOVE: expected \{missing\}/],
      [mixOf('WAIT 1 10', 'BLPOP {missing} 1'), /expected a share of a command that does not wait/],
      [mixOf('GET {key}', 'TTL {key} ; BLPOP {missing} 1'), /command 2 of 2: BLPOP waits: .* no --then/],
      [mixOf('GET {key}', 'GET {missing}'), /the key '\{missing\}' is not this tool's/],
      [
        [...mixOf('GET {key}', 'DEL {key}'), '--prepare-each'],
        /--prepare-each and --share do not go together/,
      ],
      [['--prepare-each'], /--prepare-each needs --command/],
      [
        ['--command', 'DEL {key}', '--prepare-each', '--rate', '9'],
        /--prepare-each and --rate do not go together/,
      ],
      [['--command', 'DEL {key}', '--prepare-each', '--keys', '7'], /expected at least 8 --keys/],
      [['--command', 'SET {key} {value@1gb}'], /expected a length of up to 512mb/],
      [['--workload', 'mix:get=8,fetch:1=2'], /requests such as mix:get=95,fetch:20=5, got 'fetch:1=2'/],
      [['--command', 'CONFIG SET save ""'], /CONFIG cannot be measured/],
      [['--command', 'READONLY'], /READONLY cannot be measured/],
      [['--command', 'ASKING'], /ASKING cannot be measured/],
      [['--command', 'MIGRATE 127.0.0.1 6380 {key} 0 100'], /MIGRATE cannot be measured/],
      [['--command', 'SWAPDB 0 1'], /SWAPDB changes more than this tool's own keys/],
      [
        ['--command', 'GEORADIUS {key} 1 1 9 m STORE {key} STORE other'],
        /the key 'other' is not this tool's/,
      ],
      [['--command', 'GEORADIUSBYMEMBER {key} a 9 m STORE {key} STOREDIST other'], /the key 'other' is not/],
      [['--command', 'SORT {key} STORE {key} STORE other'], /the key 'other' is not this tool's/],
      [['--command', 'SORT {key} BY nosort GET other:*'], /the key 'other:\*' is not this tool's/],
      [['--command', 'BITOP AND {key} other'], /the key 'other' is not this tool's/],
      [['--command', 'ZUNIONSTORE {key} 2 {key} other'], /the key 'other' is not this tool's/],
      [['--command', 'JSON.MGET {key} other $'], /the key 'other' is not this tool's/],
      [['--command', '{key} GET'], /expected a Redis command such as INCR \{key\}, got '\{key\} …'/],
      [['--command', 'INCR {key}', '--workload', 'get'], /--command and --workload both say/],
      [['--prepare', 'SET {key} 1'], /--prepare .* without --command/],
      [
        ['--command', 'GET {key}', '--prepare', 'SET {key} 1', '--prepare', 'SET {key} 2'],
        /--prepare: expected one for all commands, or one for each of the 1, got 2/,
      ],
      [['--compare', 'workload'], /--compare workload: there is one value/],
      [['--compare', 'rtt', '--rtt', '0,1ms'], /--compare: expected one of workload, topology/],
      [['--value-size', '200-100'], /--value-size: expected a length, or the shortest and the longest/],
      [['--value-size', '10-20', '--keys', '1'], /one key has one value/],
      [['--keys', '1000000', '--key-size', '10000'], /MB in each worker/],
      [['--keys', '1m', '--key-size', '10kb'], /MB in each worker/],
      [['--keys', '1mb'], /--keys: expected a positive whole number.*, got '1mb'/],
      [['--key-size', '1tb'], /--key-size: expected a length from 1 to 512mb, .*, got '1tb'/],
      [['--size', '10,1gb'], /--size: expected a length from 1 to 512mb, .*, got '1gb'/],
      [['--key-size', '9', '--keys', '100'], /--key-size: expected at least 10/],
    ])) {
      it(args.join(' '), () => assertRefused(args, message));
    }
  });

  describe('a cluster:', () => {
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [
        ['--topology', 'ring'],
        /^redis-pipe-bench: --topology: expected one of standalone, cluster, sentinel, got 'ring'/,
      ],
      [['--cluster-nodes', '2'], /^redis-pipe-bench: --cluster-nodes: expected a whole number from 3 to 50/],
      [
        ['--cluster-nodes', '3', '--url', 'redis://127.0.0.1'],
        /--url and --cluster-nodes are about a server that runs and one that is started/,
      ],
      [['--topology', 'cluster', '--socket', '/run/redis.sock'], /--topology cluster: .*--socket/],
    ])) {
      it(args.join(' '), () => assertRefused(args, message));
    }
  });

  it('REDIS_URL=nope, named as what it is', () =>
    assertRefused([], /^redis-pipe-bench: REDIS_URL: expected a URL/, { REDIS_URL: 'nope' }));
});
