import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { ENDLESS, endStarted, leftovers, QUICK, runCli, startCli } from '../helpers/cli.js';
import { processesOf } from '../helpers/processes.js';
import { schemaErrors } from '../helpers/report-shapes.js';
import { until } from '../helpers/until.js';

const SEVERAL = [...ENDLESS, '--scenarios', 'shared-connection,open-and-close', '--iterations', '20'];

/** @param {string} temp */
const allGone = (temp) =>
  until(
    () => `nothing to be left of ${leftovers(temp)}`,
    () => leftovers(temp).length === 0,
  );

describe('a tool with a server of its own', () => {
  afterEach(endStarted);

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    it(`ends in good order with ${signal}: partial report, exit 130, nothing left`, async () => {
      const cli = startCli([...(signal === 'SIGINT' ? SEVERAL : ENDLESS), '--format', 'json']);
      await cli.says(/^round 1 /m);
      assert.ok(processesOf(cli.temp).some(({ command }) => /redis|valkey/.test(command)));
      cli.signal(signal);
      const { code, stdout, temp } = await cli.result;
      assert.equal(code, 130);
      assert.deepEqual(leftovers(temp), []);
      const report = JSON.parse(stdout);
      assert.deepEqual(schemaErrors(report), []);
      assert.equal(report.partial, true);
      assert.equal(report.failure, null);
      for (const { runs } of report.cells) assert.ok(runs.length > 0);
    });
  }

  it('ends while its server is starting', async () => {
    const cli = startCli(ENDLESS);
    await until('its folder', () => readdirSync(cli.temp).length > 0);
    cli.signal('SIGINT');
    const { code, temp } = await cli.result;
    assert.equal(code, 130);
    assert.deepEqual(leftovers(temp), []);
  });

  it('ends in the middle of a run that would take long', async () => {
    const cli = startCli([...ENDLESS, '--warmup-runs', '0', '--runs', '1', '--iterations', '100000000']);
    await cli.says(/1 cell/);
    await until('its worker to be at work', () =>
      processesOf(cli.temp).some(({ command }) => command.includes('worker/entry.js')),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    cli.signal('SIGINT');
    const { code, temp } = await cli.result;
    assert.equal(code, 130);
    assert.deepEqual(leftovers(temp), []);
  });

  it('ends while its worker is frozen', async () => {
    const faulty = ['--rate', '200', '--duration', '20s', '--fault-at', '100ms', '--pin', 'off'];
    const cli = startCli(['break', 'freeze:20s', '--clients', 'ioredis', ...faulty]);
    const isFrozen = (/** @type {number} */ pid) =>
      / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, ''));
    await until('its worker to be frozen', () =>
      processesOf(cli.temp).some(({ pid, command }) => command.includes('worker/entry.js') && isFrozen(pid)),
    );
    cli.signal('SIGINT');
    const { code, temp } = await cli.result;
    assert.equal(code, 130);
    assert.deepEqual(leftovers(temp), []);
  });

  it('leaves nothing after two signals', async () => {
    const cli = startCli(ENDLESS);
    await cli.says(/^round 1 /m);
    cli.signal('SIGINT');
    await cli.says(/stopping/);
    cli.signal('SIGINT');
    await cli.result;
    await allGone(cli.temp);
  });

  it('leaves no socket of GLIDE after kill -9', async function () {
    if (process.platform !== 'linux') this.skip();
    // Others may have left some, of a process that had the same pid.
    const before = readdirSync('/tmp');
    const cli = startCli([...ENDLESS, '--clients', 'valkey-glide']);
    await cli.says(/^round 1 /m);
    const worker = processesOf(cli.temp).find(({ command }) => command.includes('worker/entry.js'));
    const sockets = () =>
      readdirSync('/tmp').filter(
        (name) => name.startsWith(`glide-socket-${worker?.pid}-`) && !before.includes(name),
      );
    assert.equal(sockets().length, 1);
    cli.signal('SIGKILL');
    await cli.result;
    await allGone(cli.temp);
    assert.deepEqual(sockets(), []);
  });

  it('is cleaned up after by a later start where even its guard was killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const cli = startCli(ENDLESS);
    await cli.says(/^round 1 /m);
    const started = processesOf(cli.temp);
    const others = started.filter(({ command }) => !/^\S*(redis|valkey)-server /.test(command));
    // All are stopped first, so that nobody is left who could notice that another is gone.
    for (const { pid } of others) process.kill(pid, 'SIGSTOP');
    for (const { pid } of others) process.kill(pid, 'SIGKILL');
    await cli.result;
    const left = leftovers(cli.temp);
    assert.ok(
      left.some((text) => /^process .*(redis|valkey)-server/.test(text)),
      left.join(),
    );
    assert.ok(
      left.some((text) => text.startsWith('file redis-pipe-bench-')),
      left.join(),
    );
    const { code } = await runCli(QUICK, { env: { TMPDIR: cli.temp } });
    assert.equal(code, 0);
    await allGone(cli.temp);
  });

  it('leaves nothing after kill -9 while it is starting', async () => {
    const cli = startCli(SEVERAL);
    await cli.says(/2 cells/);
    cli.signal('SIGKILL');
    await cli.result;
    await allGone(cli.temp);
  });
});
