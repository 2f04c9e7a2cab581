import { whole } from '../numbers.js';

/** @import { Server } from '../server/types.js' */
/** @import { Leftovers, Write } from '../worker/types.js' */

/**
 * Whether the server has what a run wrote last, as the tool's own connection reads it. Where it may not read, nothing is known.
 * @param {Pick<Server, 'onKey'>} server @param {Write[]} writes that were confirmed @param {string} prefix of our keys: others are not read
 * @returns {Promise<Leftovers>} those that were wrongly confirmed
 */
export async function readBack(server, writes, prefix) {
  const own = writes.filter(({ key }) => key.startsWith(prefix));
  const asking = own.map(async ({ key, field, value }) => {
    const asked = field === null ? server.onKey('GET', key) : server.onKey('HGET', key, field);
    const found = await asked.catch(() => value);
    const name = field === null ? 'SET' : 'HSET';
    return found === value
      ? []
      : `${name} was confirmed, but another connection ${differenceText(found, value)}`;
  });
  const wrong = (await Promise.all(asking)).flat();
  return { wrongReplies: wrong.length, firstWrongReply: wrong[0] ?? null };
}

/** Without the values, which may be large. @param {unknown} found @param {string} value */
function differenceText(found, value) {
  if (found === null) return 'then found nothing';
  const text = String(found);
  if (text.length !== value.length)
    return `then read ${whole(text.length)} characters instead of ${whole(value.length)}`;
  let same = 0;
  while (text[same] === value[same]) same++;
  return `then read another value, from character ${whole(same + 1)} on`;
}
