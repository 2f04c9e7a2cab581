import { messageOf, ServerError, UsageError } from '../errors.js';
import { connectControl } from './control.js';
import { fieldsOf, replicasOf } from './sentinel.js';
import { labelOf } from './target.js';

/** @import { Control, Target } from './types.js' */

/** @param {Target} target @returns {Promise<{primary: Target, replicas: Target[]}>} */
export async function findPrimary(target) {
  const { sentinels = [], masterName = '', sentinelUsername, sentinelPassword, ...server } = target;
  const { topology: _, ...plain } = server;
  /** @type {unknown} */
  let cause;
  for (const place of sentinels) {
    const sentinel = { ...plain, ...place, database: undefined };
    const own = { ...sentinel, username: sentinelUsername, password: sentinelPassword };
    const control = await connectControl(own).catch((error) => {
      cause ??= error;
    });
    if (!control) continue;
    try {
      const { primary, replicas } = await askSentinel(control, labelOf(own), masterName);
      return { primary: { ...plain, ...primary }, replicas: replicas.map((each) => ({ ...plain, ...each })) };
    } finally {
      control.close();
    }
  }
  const why = cause instanceof ServerError ? (cause.cause ?? cause) : cause;
  throw new ServerError(`--sentinel: no Sentinel can be used; ${labelOf(target)}: ${messageOf(why)}`, {
    cause,
  });
}

/** @param {Control} control @param {string} where @param {string} name */
async function askSentinel(control, where, name) {
  const ask = (/** @type {string[]} */ ...words) => control.command('SENTINEL', ...words);
  const { cause: refused } = await ask('CKQUORUM', name).then(
    () => ({ cause: null }),
    (error) => ({ cause: error }),
  );
  const reason = messageOf(refused?.cause ?? refused);
  if (/unknown command/i.test(reason))
    throw new ServerError(`--sentinel: ${where} is no Sentinel (${reason}); a server is named by --url`);
  if (/no such master/i.test(reason)) {
    const all = /** @type {unknown[]} */ (await ask('MASTERS')).map((each) => `'${fieldsOf(each).name}'`);
    throw new UsageError(
      `--master-name: the Sentinel ${where} watches no '${name}'; expected one of ${all.join(', ') || 'none'}`,
    );
  }
  if (refused !== null)
    throw new ServerError(
      `the Sentinels of '${name}' could not promote a replica now: ${where} says '${reason}'`,
    );
  const [host, port] = /** @type {string[]} */ (await ask('GET-MASTER-ADDR-BY-NAME', name));
  return { primary: { host, port: Number(port) }, replicas: await replicasOf(control, name) };
}
