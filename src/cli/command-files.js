import { readdirSync, readFileSync } from 'node:fs';

/** What is run where no command is named. */
export const DEFAULT = 'run';

const FOLDER = new URL('./commands/', import.meta.url);

/** @returns {string[]} */
export const commandNames = () =>
  readdirSync(FOLDER).flatMap((file) => (file.endsWith('.js') ? file.slice(0, -'.js'.length) : []));

/** @param {string} name of a command */
export const fileOf = (name) => new URL(`${name}.js`, FOLDER);

/**
 * Loading all commands would be a tenth of what `--help` takes, reading them a hundredth.
 * @param {string} name of a command @returns {string | undefined} undefined where it is not written as one text
 */
export const summaryOf = (name) =>
  /^ {2}summary: '([^'\\]+)',$/m.exec(readFileSync(fileOf(name), 'utf8'))?.[1];
