import assert from 'node:assert/strict';
import { join } from 'node:path';
import { endStarted, QUICK, runCli, STATE } from '../helpers/cli.js';
import { startRedis } from '../helpers/redis-server.js';

const TWO = [...QUICK, '--runs', '2', '--scenarios', 'shared-connection,pool'];

describe('--assert', () => {
  afterEach(endStarted);

  it('exits 0 when all hold and 5 when one does not, with both figures, and again for the saved result', async () => {
    const holds = await runCli([
      ...TWO,
      '--assert',
      'pool.peakRssBytes > 1',
      '--assert',
      'pool.peakRssBytes < 1e15 and pool.connections > 1',
    ]);
    assert.equal(holds.code, 0, holds.stderr);
    assert.equal(holds.stderr.match(/^assertion holds: /gm)?.length, 2);
    const fails = await runCli([
      ...TWO,
      ...[
        '--assert',
        'pool.peakRssBytes > 1',
        '--assert',
        'shared-connection.peakRssBytes >= 1000 * pool.peakRssBytes',
      ],
    ]);
    assert.equal(fails.code, 5);
    assert.match(fails.stdout, /raw, pool/);
    assert.match(fails.stderr, /^assertion holds: pool/m);
    const failed =
      /^assertion failed: shared-connection\.peakRssBytes >= 1000 \* pool\.peakRssBytes\n {2}shared-connection\.peakRssBytes is [\d,]+\n {2}1000 \* pool\.peakRssBytes is [\d,]+\n {2}shared-connection\.peakRssBytes \/ pool\.peakRssBytes is [\d.]+ \([\d.]+ to [\d.]+\)$/m;
    assert.match(fails.stderr, failed);

    // A saved result is decided on by its own assertions, or by others.
    const env = { XDG_STATE_HOME: join(fails.temp, STATE) };
    const own = await runCli(['report', 'last'], { env });
    assert.equal(own.code, 5);
    assert.match(own.stderr, failed);
    const other = await runCli(['report', 'last', '--assert', 'pool.peakRssBytes > 1'], { env });
    assert.equal(other.code, 0);
    // Fifty operations have no p99.9, whatever they took.
    const few = ['report', 'last', '--assert', 'pool.p999Us > 1'];
    const open = await runCli(few, { env });
    assert.equal(open.code, 6, open.stderr);
    assert.match(
      open.stderr,
      /^assertion not decided: pool\.p999Us > 1\n {2}pool\.p999Us cannot be decided: too few operations$/m,
    );
    assert.match(open.stderr, /^redis-pipe-bench: 1 of 1 assertion not decided; measure with more --starts/m);
    assert.equal((await runCli([...few, '--allow-undecided'], { env })).code, 0);
    const wrong = await runCli(['report', 'last', '--assert', 'raw.opsPerSecond > 1'], { env });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /'raw' is the name of 2 cells/);
  });

  it('decides nothing by the figures of a smoke run', async () => {
    const smoke = await runCli([...TWO, '--smoke', '--save', 'smoke.ndjson'], { inTemp: true });
    assert.equal(smoke.code, 0);
    const again = await runCli(['report', join(smoke.temp, 'smoke.ndjson'), '--assert', 'pool.p50Us > 1']);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /--assert .*smoke run/);
  });

  describe('that cannot be decided is refused before anything is measured:', () => {
    /** @type {Awaited<ReturnType<typeof startRedis>>} */
    let server;
    before(async () => {
      server = await startRedis();
    });
    after(() => server.stop());

    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [
        ['--assert', 'pool.opsPerSecond >'],
        /--assert: expected .*, at character 20 of 'pool\.opsPerSecond >'$/m,
      ],
      [
        ['--assert', 'poool.opsPerSecond > 1'],
        /no cell has the name 'poool'; there are raw:default\/shared-connection/,
      ],
      [['--assert', 'raw.opsPerSecond > 1'], /'raw' is the name of 2 cells/],
      [['--assert', 'pool.clientBusy > 0', '--assert-strict'], /--assert-strict needs intervals/],
      [['--allow-undecided'], /--allow-undecided needs --assert/],
      [['--assert', 'pool.p50Us > 1', '--smoke'], /--smoke and --assert do not go together/],
    ])) {
      it(args.join(' '), async () => {
        const before = await server.calls('get');
        const { code, stdout, stderr } = await runCli([...TWO, '--url', server.url, ...args]);
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, message);
        assert.equal(await server.calls('get'), before);
      });
    }
  });
});
