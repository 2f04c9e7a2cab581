/** @import { ClientSource } from '../../../src/plugins/types.js' */

/** Clients that do not do what they say, each variant in another way. @type {ClientSource} */
export default {
  package: 'ioredis',
  variants: {
    memory: { how: 'memory' },
    dropset: { how: 'dropset' },
    swap: { how: 'swap' },
    shorten: { how: 'shorten' },
    alter: { how: 'alter' },
    late: { how: 'late' },
  },
  capabilities: ['prompt-close'],
  async connect({ host, port }, { how }, { Redis }) {
    const redis = new Redis({ host, port, retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => {});
    await redis.connect();
    /** @type {Map<string, string | null>} */
    const known = new Map();
    async function ask(/** @type {string} */ key) {
      const value = await redis.get(key);
      known.set(key, value);
      return value;
    }
    let asked = 0;
    /** @type {string | null | undefined} */
    let last;
    /** @type {Record<string, (key: string) => Promise<string | null>>} */
    const gets = {
      memory: async (key) => known.get(key) ?? ask(key),
      async swap(key) {
        const value = await redis.get(key);
        const wrong = ++asked % 1000 === 0 ? last : undefined;
        last = value;
        return wrong ?? value;
      },
    };
    /** @type {Record<string, (key: string, value: string) => Promise<unknown>>} */
    const sets = {
      dropset: async () => 'OK',
      shorten: (key, value) => redis.set(key, value.slice(0, 3)),
      alter: (key, value) => redis.set(key, `${value.slice(0, -1)}!`),
      async late(key, value) {
        setTimeout(() => redis.set(key, value).catch(() => {}), 500);
        return 'OK';
      },
    };
    return {
      command: (args) => redis.call(...args),
      get: gets[how] ?? ((key) => redis.get(key)),
      set: sets[how] ?? ((key, value) => redis.set(key, value)),
      close: () => redis.quit(),
      destroy: () => redis.disconnect(),
    };
  },
};
