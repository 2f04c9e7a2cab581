/** What the clients call it when their connection is gone, each in its own words. */
export const CONNECTION_LOST =
  /connection (is|was) closed|connection error|socket closed|client is closed|disconnects client|startup nodes|ClosingError/i;
