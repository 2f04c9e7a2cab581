/**
 * Tests that wait most of the time: all of them wait at once, and each tells how it ended.
 *
 * @template Place
 * @param {Record<string, (place: Place) => Promise<void>>} tests by title
 * @param {() => Promise<Place>} prepare what each of them needs for itself
 */
export function allAtOnce(tests, prepare) {
  /** @type {Map<string, Promise<void>>} */
  const ended = new Map();
  before(async () => {
    for (const [title, test] of Object.entries(tests)) {
      const done = test(await prepare());
      done.catch(() => {});
      ended.set(title, done);
    }
  });
  for (const title of Object.keys(tests)) it(title, () => ended.get(title));
}
