import { createHmac, timingSafeEqual } from 'node:crypto';
import { RunError } from '../../errors.js';
import { isTooDeep } from '../../process/read-file.js';

/**
 * @typedef {{agent: string, nonce: string, id: string, name: string, data: {signature?: unknown, value?: unknown}}} SignedJob
 *   signed for one agent, and for one start of it: `nonce`, which is the lease that the agent holds at the control Redis
 */

const UNSIGNED_JOB = 'it accepts only jobs signed with its --queue-token';
const UNSIGNED_ANSWER = 'only replies signed with --queue-token are accepted';

/** @param {string | null} token @param {SignedJob} job @returns {SignedJob['data']} its data, signed if there is a token */
export function signed(token, { agent, nonce, id, name, data }) {
  if (token === null) return data;
  const text = JSON.stringify([agent, nonce, id, name, data]);
  return { ...data, signature: createHmac('sha256', token).update(text).digest('base64') };
}

/** @param {string | null} token @param {SignedJob} job @param {string} refusal @returns {any} its data @throws {RunError} */
function verified(token, { data: given, ...job }, refusal) {
  const { signature, ...data } = given;
  if (token === null) return data;
  if (signature === undefined) throw new RunError(`${refusal}, and this one is not`);
  const expected = Buffer.from(String(signed(token, { ...job, data }).signature));
  const found = Buffer.from(String(signature));
  if (found.length === expected.length && timingSafeEqual(found, expected)) return data;
  throw new RunError(`${refusal}, and this one has another signature`);
}

/**
 * @param {string | null} token @param {Omit<SignedJob, 'data'>} job @param {'answer' | 'news'} kind
 * @param {any} given as `seal` makes it @returns {any} the value @throws {RunError}
 */
export function verifiedAnswer(token, job, kind, given) {
  assertShallow(given);
  if (token === null) return given ?? null;
  const data = given !== null && typeof given === 'object' ? given : {};
  // An agent without a token signs nothing; that is reported once all have answered.
  if (job.name === 'hello' && data.signature === undefined) return { ...data, nonce: null };
  return verified(token, { ...job, name: `${kind} ${job.name}`, data }, UNSIGNED_ANSWER).value;
}

/** @typedef {{id?: string, name: string, data: object}} Job */

/** Else looking into it would overflow the stack. @param {unknown} data @throws {RunError} */
function assertShallow(data) {
  if (isTooDeep(data)) throw new RunError('expected data that is nested less deeply');
}

/** About 10 MB. Those of a benchmark are remembered by it; only a `hello` belongs to none. */
const MOST_GREETINGS = 100_000;

/**
 * Checks each job before anything looks into it.
 * @param {string | null} token of the agent @param {string} agent @param {string} nonce of this start of it
 */
export function createGate(token, agent, nonce) {
  /** @param {Job} job */
  const sealOf = ({ id, name }) => ({ agent, nonce, id: String(id), name });
  /** Ids of the latest. @type {Set<string>} */
  const greetings = new Set();

  /** @param {string} id */
  function greetOnce(id) {
    if (greetings.has(id)) throw new RunError('this job was done before');
    greetings.add(id);
    const [oldest] = greetings;
    if (greetings.size > MOST_GREETINGS) greetings.delete(oldest);
  }

  return {
    /** null where it takes jobs of anybody */
    nonce: token && nonce,

    /** @param {Job} job @returns {any} its data */
    read(job) {
      if (typeof job.data !== 'object' || job.data === null || Array.isArray(job.data))
        throw new RunError('expected a job with an object as its data');
      assertShallow(job.data);
      const data = verified(token, { ...sealOf(job), data: job.data }, UNSIGNED_JOB);
      if (token !== null && job.name === 'hello') greetOnce(String(job.id));
      return data;
    },

    /** @param {Job} job @param {'answer' | 'news'} kind @param {any} value @returns {any} signed if there is a token */
    seal: (job, kind, value = null) =>
      token === null
        ? value
        : signed(token, { ...sealOf(job), name: `${kind} ${job.name}`, data: { value } }),
  };
}
