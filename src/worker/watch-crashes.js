import { messageOf } from '../errors.js';
import { originOf } from './code-origin.js';

/** @import { FaultCrash } from './types.js' */

/**
 * Notices what would end an application's process: an exception that nobody caught, or a rejection that nobody
 * handled. Here it ends the run, which can still tell of it.
 * @param {() => number} elapsed in milliseconds @param {() => void} onCrash
 */
export function watchCrashes(elapsed, onCrash) {
  /** @type {FaultCrash | null} */
  let first = null;
  /** @param {FaultCrash['kind']} kind @returns {(error: unknown) => void} */
  const notice = (kind) => (error) => {
    first ??= { kind, message: messageOf(error), at: placeOf(error), ms: elapsed() };
    onCrash();
  };
  const onException = notice('exception');
  const onRejection = notice('rejection');
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return {
    first: () => first,
    stop() {
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    },
  };
}

/** A frame of a stack: `at name (file:1:2)` or `at file:1:2`. */
const FRAME = /^\s*at (?:(.*?) \()?((?:file:|node:|\/).*?):(\d+):\d+\)?$/;

/**
 * @param {unknown} error
 * @returns {string | null} the first line of its stack that is not Node's own: `ioredis/built/Redis.js:123 (connect)`
 */
function placeOf(error) {
  const lines = String(/** @type {any} */ (error)?.stack ?? '').split('\n');
  const frames = lines.flatMap((line) => {
    const [, functionName = '', url, lineNumber] = FRAME.exec(line) ?? [];
    return url === undefined ? [] : originOf({ functionName, url, lineNumber: Number(lineNumber) - 1 });
  });
  const own = frames.find(({ part }) => part !== 'node') ?? frames[0];
  if (own === undefined) return null;
  return `${[own.package, own.file].filter(Boolean).join('/')}:${own.line} (${own.name})`;
}
