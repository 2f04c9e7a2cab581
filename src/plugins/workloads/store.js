import { isStored } from '../shared/accounts.js';
import { requestWorkload, STORE } from '../shared/requests.js';

export default requestWorkload({ id: 'store', does: 'stores', done: isStored }, STORE);
