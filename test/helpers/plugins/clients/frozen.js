import raw from '../../../../src/plugins/clients/raw.js';

// The tool reads plugins itself, too.
if (process.argv[1].endsWith('entry.js')) await new Promise(() => {});

/** The bare client, but workers never end loading it. */
export default { ...raw, id: 'frozen', title: 'frozen', floor: false };
