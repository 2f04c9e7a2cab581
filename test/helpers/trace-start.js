/**
 * Loaded into the tool by `node --import`: writes down how deep the calls nest when it starts its first worker, as
 * V8 remembers them across `await`. The limiter of simultaneous starts hides its caller from V8, so it is left out here.
 */
import child from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';

const PLAIN_LIMIT =
  'export default () => ({ map: (all, use) => Promise.all(Array.from(all, (each) => use(each))) })';
const LOADER = `export const load = (url, context, next) => url.includes('/p-limit/')
  ? { format: 'module', shortCircuit: true, source: ${JSON.stringify(PLAIN_LIMIT)} }
  : next(url, context);`;
const { RPB_STACK_FILE: file } = process.env;

register(`data:text/javascript,${encodeURIComponent(LOADER)}`);
const { spawn } = child;
child.spawn = /** @type {any} */ (
  function traced(/** @type {any[]} */ ...args) {
    if (file !== undefined && args[1]?.some((/** @type {string} */ arg) => arg.endsWith('worker/entry.js'))) {
      child.spawn = spawn;
      syncBuiltinESMExports();
      Error.stackTraceLimit = 100;
      writeFileSync(file, String(new Error('trace').stack));
    }
    return Reflect.apply(spawn, child, args);
  }
);
syncBuiltinESMExports();
