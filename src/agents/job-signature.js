import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { RunError } from '../errors.js';

/**
 * A job as it is signed: for one agent, and for one life of it.
 * @typedef {object} SignedJob
 * @property {string} agent
 * @property {string} nonce of the agent's life; empty as long as it is not known
 * @property {string} id
 * @property {string} name
 * @property {object} data
 */

/** So many of the latest calls may come in any order. */
const WINDOW = 1000;

/** @param {string} token @param {SignedJob} job */
const signatureOf = (token, { agent, nonce, id, name, data }) =>
  createHmac('sha256', token)
    .update(JSON.stringify([agent, nonce, id, name, data]))
    .digest('base64');

/**
 * @param {string | null} token that the commander and its agents share @param {SignedJob} job
 * @returns {object} its data, signed if there is a token
 */
export const signed = (token, job) =>
  token === null ? job.data : { ...job.data, signature: signatureOf(token, job) };

/**
 * @param {string | null} token @param {SignedJob} job @param {string} refusal @returns {any} its data without the signature
 * @throws {RunError} where the signature is not that of the token
 */
function verified(token, { data: given, ...job }, refusal) {
  const { signature, ...data } = /** @type {{signature?: unknown}} */ (given);
  if (token === null) return data;
  if (signature === undefined) throw new RunError(`${refusal}, and this one is not`);
  const expected = Buffer.from(signatureOf(token, { ...job, data }));
  const found = Buffer.from(String(signature));
  if (found.length === expected.length && timingSafeEqual(found, expected)) return data;
  throw new RunError(`${refusal}, and this one has another signature`);
}

/**
 * @param {string | null} token @param {Omit<SignedJob, 'data'>} job that it answers, or tells of
 * @param {'answer' | 'news'} kind @param {unknown} value @returns {any} signed if there is a token
 */
const signedAnswer = (token, job, kind, value = null) =>
  token === null ? value : signed(token, { ...job, name: `${kind} ${job.name}`, data: { value } });

/**
 * @param {string | null} token @param {Omit<SignedJob, 'data'>} job @param {'answer' | 'news'} kind
 * @param {any} given as `signedAnswer` makes it @returns {any} the value @throws {RunError}
 */
export function verifiedAnswer(token, job, kind, given) {
  if (token === null) return given ?? null;
  const data = given !== null && typeof given === 'object' ? given : {};
  // One that was started without a token signs nothing; that it has none is reported once all have answered.
  if (job.name === 'hello' && data.signature === undefined) return { ...data, nonce: null };
  return verified(token, { ...job, name: `${kind} ${job.name}`, data }, UNSIGNED_ANSWER).value;
}

const UNSIGNED_JOB = 'it accepts only jobs signed with its --queue-token';
const UNSIGNED_ANSWER = 'only replies signed with --queue-token are accepted';

/** @returns {(id: string) => void} takes the id of each call of a session; throws for one that it has seen */
export function createOnce() {
  /** @type {Set<number>} */
  const latest = new Set();
  let highest = 0;
  return (id) => {
    const number = Number(id.split('-').at(-1));
    if (latest.has(number) || !(number > highest - WINDOW)) throw new RunError('this job was done before');
    latest.add(number);
    latest.delete(number - WINDOW);
    highest = Math.max(highest, number);
  };
}

/** @typedef {{id?: string, name: string, data: object}} Job */

/** What an agent holds each job to before it looks into it. @param {string | null} token @param {string} agent */
export function createGate(token, agent) {
  const nonce = randomBytes(16).toString('hex');
  /** Of sessions, ever. @type {Set<string>} */
  const seen = new Set();
  /** @param {Job} job */
  const sealOf = ({ id, name }) => ({ agent, nonce: name === 'hello' ? '' : nonce, id: String(id), name });
  return {
    /** null where it takes jobs of anybody */
    nonce: token && nonce,

    /** @param {Job} job @returns {any} its data */
    read: (job) => verified(token, { ...sealOf(job), data: job.data }, UNSIGNED_JOB),

    /** @param {Job} job @param {'answer' | 'news'} kind @param {unknown} value */
    seal: (job, kind, value) => signedAnswer(token, sealOf(job), kind, value),

    /** @param {string} id of a session */
    enter(id) {
      if (seen.has(id)) throw new RunError('this benchmark has run here before');
      seen.add(id);
    },
  };
}
