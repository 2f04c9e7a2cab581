import { count } from '../../axes/number-words.js';
import { EXIT } from '../../core/errors.js';
import { SERVER_OPTIONS } from '../../options/command-tables.js';
import { withEnvironment } from '../../options/read-options.js';
import { addOptions } from '../options.js';

/** @import { Swept } from '../../benchmark/run/types.js' */
/** @import { CliCommand } from '../types.js' */

/** @type {CliCommand} */
export default {
  name: 'clean',
  summary: 'remove the keys that killed benchmarks left on an external server',

  define: (command) =>
    void addOptions(command, SERVER_OPTIONS).option(
      '--prefix <prefix>',
      'remove these keys too, which another machine or user stored: rpb:1a2b',
    ),

  async run(given, { stdout, env }) {
    const { clean } = await import('../clean.js');
    const { options, urlOrigin } = withEnvironment(given, env);
    const { server, swept, unknown } = await clean(options, { urlOrigin });
    const lines = swept.map(lineOf);
    for (const { prefix, keys } of unknown) {
      lines.push(
        `${prefix}: ${count(keys, 'key')} of a benchmark that this machine does not remember; if it is no longer running, ` +
          `--prefix ${prefix} removes them`,
      );
    }
    stdout.write(
      lines.length === 0 ? `no keys of this tool are left on ${server}\n` : `${lines.join('\n')}\n`,
    );
    return swept.some(({ failure }) => failure !== null) ? EXIT.server : EXIT.done;
  },
};

/** @param {Swept} swept */
function lineOf({ prefix, at, inUse, removed, failure }) {
  if (inUse)
    return `${prefix}: left alone, because the benchmark that stores these keys may still be running`;
  if (failure !== null) return `${prefix}: the keys could not be removed: ${failure}`;
  return `${prefix}: removed ${count(removed, 'key')}${at === null ? '' : ` of a benchmark of ${at.slice(0, 16).replace('T', ' ')}`}`;
}
