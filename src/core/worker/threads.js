import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from '../errors.js';

/** CPU time of each thread of this process, by its id. @returns {Map<string, {name: string, us: number}>} empty if unknown */
export function threadTimes() {
  const threads = new Map();
  for (const id of list(TASKS)) {
    try {
      const name = readFileSync(`${TASKS}/${id}/comm`, 'utf8').trim();
      const [ranNs] = readFileSync(`${TASKS}/${id}/schedstat`, 'utf8').split(' ');
      threads.set(id, { name, us: Number(ranNs) / 1000 });
    } catch {}
  }
  return threads;
}

const TASKS = '/proc/self/task';

/** @param {string} folder */
const list = (folder) => attempt(() => readdirSync(folder), []);
