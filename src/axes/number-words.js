/** @param {number} value @returns {string} whole, with thousands apart */
export const whole = (value) => Math.round(value).toLocaleString('en-US');

/** @param {number} number @param {string} one @param {string} [many] @returns {string} `1 task`, `8 tasks` */
export const count = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;
