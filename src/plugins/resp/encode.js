/**
 * A command as Redis reads it: an array of bulk strings.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#sending-commands-to-a-redis-server
 *
 * @param {readonly string[]} args
 * @returns {Buffer}
 */
export function encodeCommand(args) {
  let text = `*${args.length}\r\n`;
  for (const arg of args) text += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
  return Buffer.from(text);
}
