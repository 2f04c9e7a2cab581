import { createRequire } from 'node:module';

// npm leaves compiled code in the temporary folder, since Node 22.8.
process.env.NODE_DISABLE_COMPILE_CACHE = '1';

/**
 * Mocha on Node 20 loads test files by require() and falls back to import() only where that fails. Under load,
 * require() of ES modules that are being imported elsewhere now and then finds one half loaded ("generate is not a
 * function"), so it fails here for test files.
 */
const { extensions } = createRequire(import.meta.url);
const load = extensions['.js'];
extensions['.js'] = (module, file) => {
  if (file.endsWith('.test.js')) throw new Error('test files are imported');
  return load(module, file);
};
