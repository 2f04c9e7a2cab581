import * as v from 'valibot';
import { amount, anyNumber, integer, positive, recordOf, text } from '../../schema.js';

/** @import { GenericSchema } from 'valibot' */
/** @import { AgentFacts } from './types.js' */

/** What a result says of each agent. @type {GenericSchema<AgentFacts>} */
export const AGENT_FACTS = v.object({
  name: text,
  tool: text,
  node: text,
  packages: recordOf(v.string()),
  cpuModel: v.string(),
  machine: v.string(),
  cpuCount: positive,
  openFiles: v.nullable(integer),
  clock: v.object({ offsetMs: anyNumber, errorMs: amount }),
});
