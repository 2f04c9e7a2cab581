import { answerRequests } from '../process/answer-requests.js';
import { checkOwn } from './check-own.js';

/** Code of a user's is checked in a process of its own. */
answerRequests({ check: checkOwn });
