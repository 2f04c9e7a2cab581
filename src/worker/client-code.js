import { createHash } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { loadParts } from './cell-parts.js';

/** @import { Channel } from 'node:diagnostics_channel' */
/** @import { ClientCode, Job } from './types.js' */

/** The code of a client, and what listens to it. Asked before it is loaded in this process. @param {Job} job @returns {Promise<ClientCode>} */
export async function describeCode(job) {
  const channels = noteChannels();
  const { client, options, library } = await loadParts(job);
  const connection = await client.connect(job.target, options, library);
  /** @type {ClientCode['methods']} */
  const methods = {};
  /** @param {string} place @param {string} label @param {unknown} object */
  function note(place, label, object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Object(object)))) {
      // A class stands under its prototype, too. Getters are not called.
      if (typeof value !== 'function' || name === 'constructor') continue;
      const code = createHash('sha1').update(String(value)).digest('base64');
      methods[`${place}.${name}`] ??= { label: label ? `${label}${name}` : value.name || name, code };
      if (!label) note(`${place}.${name}`, `${value.name || name}.`, value.prototype);
    }
  }
  const { cache } = createRequire(import.meta.url);
  for (const [file, module] of Object.entries({ ...cache, '': { exports: library } }))
    for (const each of [module?.exports, { itself: module?.exports }]) note(file, '', each);
  const native = Object(connection).client;
  for (let each = native; each && each !== Object.prototype; each = Object.getPrototypeOf(each))
    note('client', 'client.', each);
  connection.destroy();
  return {
    methods,
    channels: [...channels].flatMap((each) => (each.hasSubscribers ? String(each.name) : [])),
  };
}

/** @returns {Set<Channel>} those that are asked for from now on */
function noteChannels() {
  /** @type {Set<Channel>} */
  const asked = new Set();
  const { channel, tracingChannel } = diagnostics;
  Object.assign(diagnostics, {
    channel(/** @type {string} */ name) {
      asked.add(channel(name));
      return channel(name);
    },
    tracingChannel(/** @type {string} */ name) {
      const { start, end, asyncStart, asyncEnd, error } = tracingChannel(name);
      for (const each of [start, end, asyncStart, asyncEnd, error]) asked.add(each);
      return tracingChannel(name);
    },
  });
  return asked;
}
