import assert from 'node:assert/strict';
import { endStarted, runCli } from '../helpers/cli.js';
import { PRODUCER } from '../helpers/open-loop.js';
import { timed } from '../helpers/timed.js';

const ONCE = ['--runs', '1', '--warmup-runs', '0'];

describe('an open loop and the rate that it holds', () => {
  afterEach(endStarted);

  timed('says in a sentence what was sustained, and what the bottleneck was', async () => {
    const { stdout, stderr } = await runCli([
      ...[...PRODUCER, '--rate', '100,4000000', '--duration', '200ms', '--size', '10', ...ONCE, '--no-save'],
    ]);
    assert.match(stdout, /"raw, shared connection" sustained 100\/s \(p99 .*from\sthe\sscheduled\sstart/);
    assert.match(stdout, /At\s4M\/s\s.*(?:was\sthe\s(?:bottleneck|limit)|hit\s--max-in-flight)/s);
    assert.match(stdout, /^100\/s \(open loop\)$/m);
    assert.doesNotMatch(stdout, /operations per second; there is nothing to compare/);
    assert.doesNotMatch(stderr, /a bug in this tool/);
  });

  timed(
    'the suite of a producer and a consumer ends with a sentence for each, and shows true and false only where something is asked',
    async () => {
      const { code, stdout, stderr } = await runCli([
        ...['--suite', 'producer-consumer', '--clients', 'raw', '--no-save'],
        ...[
          '--rate',
          '1000',
          '--duration',
          '300ms',
          '--warmup-runs',
          '0',
          '--scenarios',
          'shared-connection',
        ],
      ]);
      assert.equal(code, 0, stderr);
      for (const what of ['SET', 'EXISTS', 'SET beside EXISTS']) {
        assert.match(
          stdout,
          new RegExp(
            `"raw, shared connection, \\d process(?:es)?, ${what}"\\s(?:sustained\\s1,000/s|could\\snot\\ssustain\\sany\\srate\\stried)`,
          ),
        );
      }
      const rows = [...stdout.matchAll(/^ +raw, shared connection .*/gm)].map(([line]) =>
        /\d+\/\d+/.test(line),
      );
      assert.deepEqual(rows, [false, true, true]);
      assert.match(stdout, /\d+ +yes +300\/0 /);
    },
  );
});
