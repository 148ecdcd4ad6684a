// Builds the pages into dist/web. With --watch, builds them again whenever their sources change; with --if-needed, only if
// they are missing or older than their sources.
import { globSync, rmSync, statSync } from 'node:fs';

const FOLDER = 'dist/web';
/** The manifest of the last one tells the service that the build is complete. */
const CONFIGS = [
  'vite.widget.config.mjs',
  'vite.server.config.mjs',
  'vite.customer.config.mjs',
  'vite.console.config.mjs',
];

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isBuilt() {
  const builtAt = modifiedAt(`${FOLDER}/.vite/console.json`);
  return ['package.json', ...globSync('web/**/*.{ts,tsx,mjs,css,svg}')].every(
    (file) => modifiedAt(file) <= builtAt,
  );
}

if (!process.argv.includes('--if-needed') || !isBuilt()) {
  // Tests build the pages, too, and must not get the larger ones that are made for developers.
  process.env.NODE_ENV = 'production';
  // Loaded only now: it takes longer than finding out that there is nothing to do.
  const { build } = await import('vite');
  const watch = process.argv.includes('--watch') ? {} : null;
  rmSync(FOLDER, { recursive: true, force: true });
  for (const config of CONFIGS) await build({ configFile: `web/${config}`, build: { watch } });
}
