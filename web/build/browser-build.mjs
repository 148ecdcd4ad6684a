import { compress } from './compress.mjs';

/** What the builds of all scripts for browsers have in common. */
export const browserBuild = {
  root: 'web',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [compress()],
};

/** Their options of the output. */
export const browserOutput = {
  outDir: '../dist/web',
  emptyOutDir: false,
  target: ['chrome109', 'safari16', 'firefox115'],
  sourcemap: false,
  reportCompressedSize: false,
};
