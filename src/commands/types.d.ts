/** The commands that measure something else than a benchmark does. */
export type CommandName = 'break' | 'cold' | 'messages';
