/**
 * Lets Node's `require` load TypeScript by compiling it with SWC. Types are checked by `npm run types`.
 */
const { readFileSync } = require('node:fs');
const { registerHooks, SourceMap } = require('node:module');
const { transformSync } = require('@swc/core');

const OPTIONS = {
  sourceMaps: true,
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};

/** Source maps of the loaded files by path, as JSON that is parsed on first use. */
const sourceMaps = new Map();

/** Components of the pages, whose markup becomes calls of Preact. */
const COMPONENT_OPTIONS = {
  ...OPTIONS,
  jsc: {
    ...OPTIONS.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
  },
};

// `_compile` is the only way to pass the code of a module to Node; all TypeScript loaders use it.
const loadWith = (options) => (module, filename) => {
  const { code, map } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename });
  sourceMaps.set(filename, map);
  module['_compile'](code, filename);
};
require.extensions['.ts'] = loadWith(OPTIONS);
require.extensions['.tsx'] = loadWith(COMPONENT_OPTIONS);

// A dynamic import names the compiled file: `./s3-storage.js` is s3-storage.ts here.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isCompiledFile = /^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts');
    return nextResolve(isCompiledFile ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

/** The source map of a loaded file, or undefined. */
function sourceMapOf(path) {
  const map = sourceMaps.get(path);
  if (typeof map !== 'string') return map;
  const parsed = new SourceMap(JSON.parse(map));
  sourceMaps.set(path, parsed);
  return parsed;
}

module.exports = { sourceMapOf };
