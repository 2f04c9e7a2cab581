/** How each client words a lost connection. */
export const CONNECTION_LOST =
  /connection (is|was) closed|connection error|socket closed|client is closed|disconnects client|startup nodes|cluster isn't ready|ClosingError/i;
