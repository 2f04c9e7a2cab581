/** @import { Untyped } from '../types.js' */

/** What ioredis 5 and its forks take. */
export const OPTIONS_OF_5 =
  `autoPipeliningIgnoredCommands autoResendUnfulfilledCommands autoResubscribe clusterRetryStrategy commandTimeout
  connectTimeout connectionName disconnectTimeout enableAutoPipelining enableOfflineQueue enableReadyCheck family
  keepAlive lazyConnect maxLoadingRetryTime maxRedirections maxRetriesPerRequest monitor natMap noDelay readOnly
  reconnectOnError redisOptions retryDelayOnClusterDown retryDelayOnFailover retryDelayOnMoved retryDelayOnTryAgain
  retryStrategy scaleReads scripts showFriendlyErrorStack slotsRefreshInterval slotsRefreshTimeout socketTimeout
  stringNumbers tls useSRVRecords failoverDetector sentinelCommandTimeout sentinelMaxConnections
  sentinelReconnectStrategy sentinelRetryStrategy updateSentinels`.split(/\s+/);

/** Fails fast and does nothing twice. `socketTimeout` ends a connection on which a reply is due and nothing comes. */
export const CAREFUL_OPTIONS = {
  commandTimeout: 1000,
  connectTimeout: 1000,
  socketTimeout: 2000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // On a cluster it would resend what was unanswered on a closed connection, despite the option above.
  retryDelayOnFailover: 0,
  retryStrategy: reconnectSoon,
};

/** Why replicas are not read outside of a cluster. */
export const LACKS_ALONE = {
  'standalone-replicas': 'no way to read from replicas except in a cluster (scaleReads)',
  'sentinel-replicas':
    "no client that reads from replicas and writes to the primary: a service opens a second one with role: 'slave'; measure it with a client of your own ('redis-pipe-bench init client')",
};

/** @param {Record<string, Untyped>} options those of a cluster are for each of its nodes @returns {number | null} */
export const silenceLimitMs = ({ redisOptions, socketTimeout = redisOptions?.socketTimeout }) =>
  socketTimeout ?? null;

/** At most half a second apart, with jitter. @param {number} times */
function reconnectSoon(times) {
  return Math.min(500, 10 * 2 ** times) + Math.floor(Math.random() * 50);
}
