import { BenchError } from './errors.js';
import * as inner from './index.js';

/** The API for programs: errors name options as a program writes them, not as flags. */
export * from './index.js';

export const agent = forPrograms(inner.agent);
export const benchmark = forPrograms(inner.benchmark);
export const bisect = forPrograms(inner.bisect);
export const calibrate = forPrograms(inner.calibrate);
export const cleanAgents = forPrograms(inner.cleanAgents);
export const clean = forPrograms(inner.clean);
export const doctor = forPrograms(inner.doctor);
export const listAgents = forPrograms(inner.listAgents);
export const record = forPrograms(inner.record);
export const releases = forPrograms(inner.releases);
export const withAssertions = forPrograms(inner.withAssertions);

/** @template {(...args: any[]) => Promise<any>} Call @param {Call} call @returns {Call} */
function forPrograms(call) {
  return /** @type {Call} */ (
    async (...args) => {
      try {
        return await call(...args);
      } catch (error) {
        if (error instanceof BenchError) error.message = inOptionNames(error.message);
        throw error;
      }
    }
  );
}

/** Command lines of this tool and of redis-cli stay as they are. */
const COMMANDS_OR_FLAGS = /'redis-pipe-bench [^']*'|redis-cli --\S+ \S+|(?<![\w-])--(no-)?([a-z][a-z-]*)/g;

/** @param {string} text @returns {string} `--run-time` becomes `runTime`, `--no-profile` becomes `profile: false` */
const inOptionNames = (text) =>
  text.replace(COMMANDS_OR_FLAGS, (found, negated, flag) => {
    if (flag === undefined) return found;
    const name = flag.replace(/-([a-z])/g, (/** @type {string} */ _, /** @type {string} */ letter) =>
      letter.toUpperCase(),
    );
    return negated ? `${name}: false` : name;
  });
