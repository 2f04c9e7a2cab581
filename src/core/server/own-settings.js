import { resolve } from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { UsageError } from '../errors.js';

/** Settings that the tool controls, that let others in, or that access files outside the private folder. */
const NOT_HERE =
  /^(port|bind|bind-source-addr|unixsocket|unixsocketperm|dir|daemonize|supervised|pidfile|logfile|include|user|aclfile|requirepass|masterauth|masteruser|primaryauth|primaryuser|rename-command|replicaof|slaveof|protected-mode|cluster-.*|tls-.*|sentinel.*|syslog-.*|crash-log-.*|enable-.*-command)$/i;
const NAME = /^[a-z][\w-]*$/i;

/** @param {string[]} lines as in redis.conf: `io-threads 4` @throws {UsageError} */
export function checkSettings(lines) {
  for (const line of lines) {
    const [name, ...values] = parseArgsStringToArgv(line);
    if (!NAME.test(name ?? '') || values.length === 0) {
      throw new UsageError(
        `--server-config: expected settings as in redis.conf, such as 'io-threads 4' or 'save ""', got '${line}'`,
      );
    }
    if (NOT_HERE.test(name))
      throw new UsageError(`--server-config: '${name}' is set by this tool; leave it out`);
    if (values.some((value) => value.startsWith('--'))) {
      throw new UsageError(
        `--server-config: expected one setting a line, got '${line}'; put ';' between settings`,
      );
    }
  }
}

/** @param {string[]} lines @returns {string[]} such as `--io-threads 4` */
export const argumentsOf = (lines) =>
  lines.flatMap((line) => {
    const [name, ...values] = parseArgsStringToArgv(line);
    // The server runs in its private folder.
    if (/^loadmodule$/i.test(name)) values[0] = resolve(values[0]);
    return [`--${name}`, ...values];
  });

/** @param {string} log of a server that has ended @returns {{line: string, why: string} | null} the refused setting */
export function refusalIn(log) {
  const [, file, reason] = /# Module (.*) failed to load: (.*)/.exec(log) ?? [];
  if (file !== undefined) return { line: `loadmodule ${file}`, why: reason };
  if (!/FATAL CONFIG FILE ERROR/.test(log)) return null;
  const [, line = '', why = ''] = />>> '(.*)'\s*\n(.*)/.exec(log) ?? [];
  return { line, why: why.trim() };
}
