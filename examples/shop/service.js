/**
 * A small shop whose sessions, carts and page cache live in Redis, to be recorded and measured:
 * docs/your-service.md shows how.
 *
 *     REDIS_URL=redis://127.0.0.1:6379 PORT=3000 node service.js
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createClient } from 'redis';

/** @import { IncomingMessage } from 'node:http' */

const SESSION_SECONDS = 1800;
const CART_SECONDS = 86_400;
const PAGE_SECONDS = 60;
const PAGE_TEXT = 'A fine product, made with care. '.repeat(30);

const redis = createClient({ url: process.env.REDIS_URL });
redis.on('error', (error) => process.stderr.write(`${error.message}\n`));
await redis.connect();

/** @param {IncomingMessage} request @returns {Promise<string>} the session's id, a new one for a new visitor */
async function sessionOf({ headers: { cookie = '' } }) {
  const [, id = ''] = /session=([\w-]+)/.exec(cookie) ?? [];
  if (id !== '' && (await redis.get(`session:${id}`)) !== null) {
    await redis.expire(`session:${id}`, SESSION_SECONDS);
    return id;
  }
  const session = { id: randomUUID(), since: new Date().toISOString(), language: 'en' };
  await redis.setEx(`session:${session.id}`, SESSION_SECONDS, JSON.stringify(session));
  return session.id;
}

/** What each request does, given the session and the product. @type {Record<string, (id: string, product: string) => Promise<unknown>>} */
const ROUTES = {
  async 'GET /product'(_id, product) {
    const key = `page:${product}`;
    const cached = await redis.get(key);
    if (cached !== null) return cached;
    const page = JSON.stringify({ product, text: PAGE_TEXT });
    await redis.setEx(key, PAGE_SECONDS, page);
    return page;
  },
  'GET /cart': (id) => redis.hGetAll(`cart:${id}`),
  async 'POST /cart'(id, product) {
    const [count] = await Promise.all([
      redis.hIncrBy(`cart:${id}`, product, 1),
      redis.expire(`cart:${id}`, CART_SECONDS),
      redis.zIncrBy('popular', 1, product),
    ]);
    return { product, count };
  },
  async 'POST /order'(id) {
    const cart = await redis.hGetAll(`cart:${id}`);
    await redis.multi().del(`cart:${id}`).lPush('orders', JSON.stringify({ id, cart })).exec();
    return { ordered: Object.keys(cart).length };
  },
  'GET /popular': () => redis.zRangeWithScores('popular', 0, 9, { REV: true }),
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(`${request.url}`, 'http://shop');
  const route = ROUTES[`${request.method} ${pathname}`];
  if (route === undefined) return response.writeHead(404).end();
  try {
    const id = await sessionOf(request);
    const reply = await route(id, searchParams.get('id') ?? 'none');
    response.setHeader('set-cookie', `session=${id}`).setHeader('content-type', 'application/json');
    return response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  } catch (error) {
    return response.writeHead(500).end(`${error}`);
  }
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});

process.once('SIGTERM', () => {
  server.close(() => redis.close());
  server.closeAllConnections();
});
