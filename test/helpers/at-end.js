/** What helpers do after the tests of a file, whether or not these ask for it. @type {Set<() => Promise<unknown>>} */
export const atEnd = new Set();
