/**
 * Says where else a server puts the data that is written to it.
 *
 * @param {Record<string, string>[]} infos INFO of each node
 * @param {string | null} save the setting of that name; null where it is not known
 * @returns {string[]} one warning, or none where writes stay in the server's memory
 */
export function durabilityWarnings(infos, save) {
  const replicas = Math.max(...infos.map(({ connected_slaves: count = '0' }) => Number(count)));
  const copies = [
    ...(infos.some(({ aof_enabled: aof }) => aof === '1') ? ['to its append-only file (AOF)'] : []),
    ...(save ? ['into its snapshots (RDB)'] : []),
    ...(replicas > 0 ? [`to ${replicas === 1 ? 'its replica' : `its ${replicas} replicas`}`] : []),
  ];
  if (copies.length === 0) return [];
  return [
    `what the benchmark writes also goes ${listed(copies)} of this server, and so does its removal; that takes ` +
      'disk or network from the other users of the server, and is part of the figures',
  ];
}

/** @param {string[]} words */
const listed = (words) =>
  words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
