import assert from 'node:assert/strict';
import { benchmark } from '../../src/commands/benchmark/benchmark.js';
import { flagOfName, GONE, goneText } from '../../src/options/gone.js';
import { assertRefused } from '../helpers/main.js';

/** @param {string} text */
const exactly = (text) => new RegExp(`: ${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\n$`);

describe('options/gone: what is gone says what to use instead', () => {
  /** @type {Record<keyof typeof GONE, (name: string) => string[]>} */
  const written = {
    options: (flag) => [flag, 'value', '--tasks', '8'],
    suites: (name) => ['--suite', name],
    commands: (name) => [name, 'argument', '--unknown'],
    faultKinds: (kind) => ['break', `cut,${kind}:2s`],
  };
  for (const [what, write] of Object.entries(written)) {
    const group = /** @type {keyof typeof GONE} */ (what);
    for (const name of Object.keys(GONE[group])) {
      it(`${what}: ${name}`, () =>
        assertRefused(write(name), exactly(String(goneText(group, name, 'value')))));
    }
  }

  it('programs are answered too', async () => {
    for (const flag of Object.keys(GONE.options)) {
      const name = flag.slice(2).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
      assert.equal(flagOfName(name), flag);
      await assert.rejects(benchmark(/** @type {any} */ ({ [name]: 'value' })), {
        message: goneText('options', flag, 'value'),
      });
    }
  });
});
