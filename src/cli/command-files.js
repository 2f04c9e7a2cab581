import { readdirSync, readFileSync } from 'node:fs';

/** If no command is named. */
export const DEFAULT = 'run';

const FOLDER = new URL('./commands/', import.meta.url);

/** @returns {string[]} */
export const commandNames = () =>
  readdirSync(FOLDER).flatMap((file) => (file.endsWith('.js') ? file.slice(0, -'.js'.length) : []));

/** @param {string} name */
export const fileOf = (name) => new URL(`${name}.js`, FOLDER);

/**
 * Loading all commands would take a tenth of the time of `--help`; reading the files takes a hundredth.
 * @param {string} name @returns {string | undefined} undefined if it is not a single string literal
 */
export const summaryOf = (name) =>
  /^ {2}summary: '([^'\\]+)',$/m.exec(readFileSync(fileOf(name), 'utf8'))?.[1];
