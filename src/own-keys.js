import { randomInt } from 'node:crypto';

/** What the keys of every invocation start with. */
export const KEY_PREFIX = 'rpb:';
const OURS = /^rpb:[0-9a-z]{4}/;

/** @returns {string} `rpb:` and four characters that no other invocation is likely to have drawn */
export const createKeyPrefix = () =>
  `${KEY_PREFIX}${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;

/**
 * @param {string} key
 * @returns {string | null} the prefix of the invocation that stored it; null for a key of somebody else
 */
export const prefixOf = (key) => OURS.exec(key)?.[0] ?? null;

/** @param {unknown} text */
export const isKeyPrefix = (text) => typeof text === 'string' && prefixOf(text) === text;
