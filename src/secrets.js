/** What is secret: the one list for all that is shown, stored, logged or sent. It errs on the side of hiding. */

/** In the name of an option, such as `sentinelPassword`, `tls.key`, `socket.pfx`, `authToken`. */
const NAMES =
  /pass|pwd|secret|token|credential|certificate|private|auth|cookie|pfx|keys?$|^(cert|ca|session)$/i;
/** `redis://user:password@host`, also where it was taken for a path: `redis:/user…`. Paths of files may hold an @. */
const IN_URL = /(?<!\bfile):\/\/?[^\s'"]*/g;
/** `?password=…` */
const PARAMETER = /([?&;]([\w.-]+)=)[^\s&;'"]+/g;
const PEM = /-----BEGIN [\s\S]*?(-----END [^-]*-----|$)/g;
const MASK = '***';

/** The variable of the environment with the token that a commander and its agents share. */
export const QUEUE_TOKEN = 'REDIS_PIPE_BENCH_QUEUE_TOKEN';

/** @param {string} text @returns {string} the same with a mask for each secret in it */
export const withoutSecrets = (text) =>
  text
    // In one pass: looking for the @ in the pattern would take minutes for a megabyte of `://`.
    .replace(IN_URL, (url) => (url.includes('@') ? `://${MASK}${url.slice(url.lastIndexOf('@'))}` : url))
    .replace(PARAMETER, (whole, start, name) => (NAMES.test(name) ? `${start}${MASK}` : whole))
    .replace(PEM, MASK);

/**
 * @param {string} name of an option @param {unknown} value @returns {unknown} the value; where it is a secret, a mask
 */
export function masked(name, value) {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (NAMES.test(name)) return MASK;
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

/**
 * @param {object} options @param {string[]} [path]
 * @returns {string[]} where secrets are among options, however deep: `socket.key`
 */
export const secretsIn = (options, path = []) =>
  Object.entries(options).flatMap(([name, value]) => {
    const place = [...path, name];
    if (masked(name, value) !== value) return [place.join('.')];
    return typeof value === 'object' && value !== null ? secretsIn(value, place) : [];
  });
