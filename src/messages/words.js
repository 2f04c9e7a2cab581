/** How the error of a message begins that did not arrive. */
export const LOST = 'a message was lost';
