/** Places in the memory that a sleeper shares with its thread: how often it was asked, and for how long. */
export const ASKED = 0;
export const SLEEP_US = 1;
