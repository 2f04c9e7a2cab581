import { randomInt } from 'node:crypto';

export const KEY_PREFIX = 'rpb:';
const OURS = /^rpb:[0-9a-z]{4}/;

/** @returns {string} `rpb:` and four random characters, most likely unique to this invocation */
export const createKeyPrefix = () =>
  `${KEY_PREFIX}${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;

/** @param {string} key @returns {string | null} the prefix of its invocation; null if it is not a key of this tool */
export const prefixOf = (key) => OURS.exec(key)?.[0] ?? null;

/** @param {unknown} text */
export const isKeyPrefix = (text) => typeof text === 'string' && prefixOf(text) === text;
