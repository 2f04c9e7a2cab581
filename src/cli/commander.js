import { createRequire } from 'node:module';

/**
 * commander is CommonJS: required it is there sooner than imported, by 2 of the 40 ms that `--help` takes.
 *
 * @type {typeof import('commander')}
 */
const commander = createRequire(import.meta.url)('commander');

export const { createCommand, Help, Option } = commander;
