/**
 * Begins the keys of --one-slot: only what is in braces decides the slot. Its slot is 9, which the first node has even with
 * 50 nodes; `break` breaks that one.
 */
export const ONE_SLOT = '{ru}';
