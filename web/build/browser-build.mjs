import { compress } from './compress.mjs';
import { licenseList } from './license-list.mjs';

/** What the builds of all scripts for browsers have in common. */
export const browserBuild = {
  root: 'web',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [compress()],
};

/**
 * The options of their output.
 * @param name of the build, for the list of the packages in it with their licenses, which those require to be passed on
 */
export const browserOutput = (name) => ({
  outDir: '../dist/web',
  emptyOutDir: false,
  target: ['chrome109', 'safari16', 'firefox115'],
  sourcemap: false,
  reportCompressedSize: false,
  license: licenseList(name),
});
