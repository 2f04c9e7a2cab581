import { errorOf, oneEach } from '../shared/requests.js';

/** @import { Step, WayPlugin } from '../types.js' */

/** @satisfies {WayPlugin} */
export default {
  id: 'parallel',
  title: 'parallel',
  summary: 'a command for each key, all at once by Promise.all',

  calls: oneEach,

  send(connection, { items, step, parts }) {
    const sent = items.map((item) => step.send(connection, item));
    const all = Promise.all(sent);
    return parts === undefined ? all : all.catch((error) => failed(sent, error, parts));
  },
};

/** Others may still be in flight. @param {unknown[]} sent @param {unknown} error @param {Step[]} parts @returns {Promise<never>} */
async function failed(sent, error, parts) {
  const places = sent.map(async (reply, at) => {
    const reason = await Promise.resolve(reply).then(
      () => undefined,
      (rejected) => rejected,
    );
    if (reason !== error) throw reason;
    return at;
  });
  throw errorOf(error, parts, await Promise.any(places));
}
