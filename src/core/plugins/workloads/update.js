import { expire, isStoredAgain } from '../shared/accounts.js';
import { FETCH, requestWorkload, STORE } from '../shared/requests.js';
import { get, set } from '../shared/steps.js';

export default requestWorkload(
  {
    id: 'update',
    does: 'reads and writes back',
    checks: { GET: 'value', MGET: 'value', SET: 'value', MSET: 'value' },
    prepare: (_, isFollowed) => [set, get, ...(isFollowed ? [expire] : [])],
    done: isStoredAgain,
  },
  FETCH,
  STORE,
);
