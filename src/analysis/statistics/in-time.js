/** A rate is sustained while this share of its operations is done in time, for this long. */
export const IN_TIME = { share: 0.95, windowMs: 1000 };
