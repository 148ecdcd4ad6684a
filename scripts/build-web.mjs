// Builds the pages into dist/web. With --watch, builds them again whenever their sources change.
import { build } from 'vite';

const watch = process.argv.includes('--watch') ? {} : null;

// One after the other: the first empties the folder.
for (const config of ['vite.config.mjs', 'vite.widget.config.mjs']) {
  await build({ configFile: `web/${config}`, build: { watch } });
}
