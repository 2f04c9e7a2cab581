/**
 * @param {(message: string) => void} tell
 * @returns {(message: string) => void} tells each message once
 */
export function once(tell) {
  const told = new Set();
  return (message) => {
    if (!told.has(message)) tell(message);
    told.add(message);
  };
}
