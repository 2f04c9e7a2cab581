/** The one list of secrets, for all that is shown, stored, logged or sent. When in doubt, it hides. */

/** Names of options, such as `sentinelPassword`, `tls.key`, `socket.pfx`, `authToken`. */
const NAMES =
  /pass|pwd|secret|token|credential|certificate|private|auth|cookie|pfx|keys?$|^(cert|ca|session)$/i;
/** `redis://user:password@host`, also when taken for a path: `redis:/user…`. File paths may contain an @. */
const IN_URL = /(?<!\bfile):\/\/?[^\s'"]*/g;
/** `?password=…` */
const PARAMETER = /([?&;]([\w.-]+)=)[^\s&;'"]+/g;
/** What was typed as a Redis command that may hold a password, quoted in an error: nothing behind its name is shown. */
const IN_COMMAND =
  /(?<=['"`:=]|;\s?)(auth|hello\s+\d|acl\s+setuser|config\s+set|migrate|sentinel\s+set)\s(?!…).*/gi;
const PEM = /-----BEGIN [\s\S]*?(-----END [^-]*-----|$)/g;
const MASK = '***';

export const QUEUE_TOKEN = 'REDIS_PIPE_BENCH_QUEUE_TOKEN';

/** @param {string} text @returns {string} */
export const withoutSecrets = (text) =>
  text
    // The pattern leaves the @ to the callback: matching it would take minutes for a megabyte of `://`.
    .replace(IN_URL, (url) => (url.includes('@') ? `://${MASK}${url.slice(url.lastIndexOf('@'))}` : url))
    .replace(PARAMETER, (whole, start, name) => (NAMES.test(name) ? `${start}${MASK}` : whole))
    .replace(IN_COMMAND, `$1 ${MASK}`)
    .replace(PEM, MASK);

/** @param {string} text @returns {boolean} whether a URL in it has a password, or it is a private key */
export const holdsPassword = (text) => /:\/\/[^\s'"@/]*:[^\s'"@]*@|-----BEGIN /.test(text);

/** @param {string} text that may be a Redis command with a password @returns {string} its first word */
export const firstWord = (text) => text.trim().replace(/\s.*$/s, ' …');

/** @param {string} name of an option @param {unknown} value @returns {unknown} the value, or a mask for a secret */
export function masked(name, value) {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (NAMES.test(name)) return MASK;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

/**
 * @param {object} options @param {(name: string, value: unknown) => boolean} isOne @param {string[]} [path]
 * @returns {string[]} where they stand, such as `socket.key`
 */
export const pathsIn = (options, isOne, path = []) =>
  Object.entries(options).flatMap(([name, value]) => {
    const place = [...path, name];
    if (isOne(name, value)) return [place.join('.')];
    return typeof value === 'object' && value !== null ? pathsIn(value, isOne, place) : [];
  });

/** @param {object} options @returns {string[]} paths of secrets */
export const secretsIn = (options) => pathsIn(options, (name, value) => masked(name, value) !== value);
