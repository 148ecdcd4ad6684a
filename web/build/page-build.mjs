import { defineConfig } from 'vite';
import { compress } from './compress.mjs';

/**
 * The build of pages. Their HTML is made by the server, which finds the files of each entry in the manifest.
 * @param name of the manifest
 * @param input the scripts of the pages by the name of their files
 */
export const pageBuild = (name, input) =>
  defineConfig({
    root: 'web',
    base: '/',
    publicDir: false,
    clearScreen: false,
    logLevel: 'warn',
    build: {
      outDir: '../dist/web',
      emptyOutDir: false,
      target: ['chrome109', 'safari16', 'firefox115'],
      manifest: `.vite/${name}.json`,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      // Data URLs of fonts and styles are not allowed by the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input,
        // Of no use to whoever builds on a busy machine.
        checks: { pluginTimings: false },
        // Directives of React's server components, which mean nothing here.
        onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
      },
    },
    plugins: [compress()],
  });
