/**
 * Visitors of the shop, for as long as it is told: most look at products, some fill their cart, few order.
 *
 *     node visitors.js http://127.0.0.1:3000 20
 */
const [url = 'http://127.0.0.1:3000', seconds = '20'] = process.argv.slice(2);
const VISITORS = 20;
const PRODUCTS = 200;
/** Between two requests of a visitor, on average. */
const PAUSE_MS = 30;
/** A visitor leaves after so many requests, and a new one comes. */
const STAYS = 30;

/** @type {[share: number, method: string, path: string][]} */
const ACTIONS = [
  [0.7, 'GET', '/product'],
  [0.12, 'GET', '/cart'],
  [0.1, 'POST', '/cart'],
  [0.05, 'GET', '/popular'],
  [0.03, 'POST', '/order'],
];

function chooseAction() {
  let rest = Math.random();
  for (const action of ACTIONS) {
    rest -= action[0];
    if (rest < 0) return action;
  }
  return ACTIONS[0];
}

const endsAt = Date.now() + Number(seconds) * 1000;
let requests = 0;

async function visit() {
  let cookie = '';
  for (let count = 0; count < STAYS && Date.now() < endsAt; count++) {
    const [, method, path] = chooseAction();
    // Few products are asked for often, most hardly ever.
    const id = `product-${Math.floor(PRODUCTS * Math.random() ** 3)}`;
    const response = await fetch(`${url}${path}?id=${id}`, { method, headers: { cookie } });
    await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
    cookie = response.headers.get('set-cookie') ?? cookie;
    requests++;
    await new Promise((resolve) => setTimeout(resolve, 2 * PAUSE_MS * Math.random()));
  }
}

await Promise.all(
  Array.from({ length: VISITORS }, async () => {
    while (Date.now() < endsAt) await visit();
  }),
);
process.stdout.write(`${requests} requests\n`);
