/** What ioredis 5 and its forks take. */
export const OPTIONS_OF_5 = (
  'autoPipeliningIgnoredCommands autoResendUnfulfilledCommands autoResubscribe clusterRetryStrategy ' +
  'commandTimeout connectTimeout connectionName disconnectTimeout enableAutoPipelining ' +
  'enableOfflineQueue enableReadyCheck family keepAlive lazyConnect maxLoadingRetryTime ' +
  'maxRedirections maxRetriesPerRequest monitor natMap noDelay readOnly reconnectOnError ' +
  'redisOptions retryDelayOnClusterDown retryDelayOnFailover retryDelayOnMoved ' +
  'retryDelayOnTryAgain retryStrategy scaleReads scripts showFriendlyErrorStack ' +
  'slotsRefreshInterval slotsRefreshTimeout socketTimeout stringNumbers tls useSRVRecords'
).split(' ');

/** What ioredis and its forks take for a primary behind Sentinels. */
export const OF_SENTINELS = (
  'failoverDetector sentinelCommandTimeout sentinelMaxConnections sentinelReconnectStrategy ' +
  'sentinelRetryStrategy updateSentinels'
).split(' ');

/**
 * For ioredis and its forks: what a team sets that would rather tell callers of an outage than let them wait, and do nothing twice.
 * `socketTimeout` ends a connection on which an answer is due and nothing comes.
 */
export const CAREFUL_OPTIONS = {
  commandTimeout: 1000,
  connectTimeout: 1000,
  socketTimeout: 2000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // Of a cluster: it sends again what was unanswered on a connection that closed, whatever the option above says.
  retryDelayOnFailover: 0,
  retryStrategy: reconnectSoon,
};

/** Half a second apart at most, and not all clients at the same moment. @param {number} times */
function reconnectSoon(times) {
  return Math.min(500, 10 * 2 ** times) + Math.floor(Math.random() * 50);
}
