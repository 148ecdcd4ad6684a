// Builds if dist is missing or older than its sources, so that `npm start` is one command.
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const sources = [
  ...globSync('{src,migrations}/**/*.ts'),
  ...globSync('web/**/*.{ts,tsx,mjs,css,svg}'),
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];
const newestSource = Math.max(
  ...sources.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
);
// The last files of both builds: that of the pages may have failed after that of the service.
const built = Math.min(
  ...['dist/src/main.js', 'dist/web/.vite/console.json'].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  ),
);

if (built < newestSource) {
  // On stderr, so that the output of the command that follows can be piped.
  const { status } = spawnSync(process.execPath, ['--run', 'build'], { stdio: ['inherit', 2, 'inherit'] });
  process.exit(status ?? 1);
}
