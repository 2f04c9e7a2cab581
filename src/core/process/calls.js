/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, onNews: (news: any) => void}} Waiting */

export function createCalls() {
  /** @type {Map<string | number, Waiting>} */
  const waiting = new Map();
  /** @type {Error | null} */
  let over = null;

  /** @param {string | number} id */
  function take(id) {
    const own = waiting.get(id);
    waiting.delete(id);
    return own;
  }
  return {
    isWaiting: () => waiting.size > 0,
    has: (/** @type {string} */ id) => waiting.has(id),
    over: () => over,

    /** @param {string | number} id @param {() => void} send @param {(news: any) => void} [onNews] @returns {Promise<any>} */
    wait(id, send, onNews = () => {}) {
      if (over) return Promise.reject(over);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onNews });
        send();
      });
    },

    /** @param {string | number} id @param {unknown} value */
    answer: (id, value) => take(id)?.resolve(value),
    /** @param {string | number} id @param {Error} error */
    fail: (id, error) => take(id)?.reject(error),
    /** @param {string | number} id @param {unknown} news */
    tell: (id, news) => waiting.get(id)?.onNews(news),
    /** @param {string | number} id */
    forget: (id) => void take(id),

    /** @param {Error} reason */
    end(reason) {
      over ??= reason;
      for (const id of [...waiting.keys()]) take(id)?.reject(reason);
    },
  };
}
