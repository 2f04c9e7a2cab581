import { FETCH, requestWorkload } from '../shared/requests.js';
import { get, set } from '../shared/steps.js';

export default requestWorkload({ id: 'fetch', does: 'reads', prepare: () => [set, get] }, FETCH);
