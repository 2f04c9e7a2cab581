/**
 * @param {any} reply to XREADGROUP: a list of streams, or with RESP3 a map, an object or pairs of them, as the client has it
 * @returns {[id: string, message: string][]} of the one stream that was asked for
 */
export function entriesOf(reply) {
  if (reply === null) return [];
  const streams = Array.isArray(reply) ? reply : reply instanceof Map ? [...reply] : Object.entries(reply);
  if (isPair(streams[0])) {
    return streams[0].value.map((/** @type {Pair} */ { key, value: [[, message]] }) => [key, message]);
  }
  // Some clients give the pairs of a map as a flat list.
  const entries = Array.isArray(streams[0]) ? streams[0][1] : streams[1];
  return entries.map((/** @type {any} */ [id, fields]) => [id, fields[1]]);
}

/** @typedef {{key: string, value: any}} Pair as valkey-glide has those of a map */

/** @param {any} stream @returns {stream is Pair} */
const isPair = (stream) => typeof stream === 'object' && !Array.isArray(stream) && 'key' in stream;
