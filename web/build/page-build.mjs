import { defineConfig } from 'vite';
import { browserBuild, browserOutput } from './browser-build.mjs';

/**
 * The build of pages. Their HTML is made by the server, which finds the files of each entry in the manifest.
 * @param name of the manifest
 * @param input the scripts of the pages by the name of their files
 */
export const pageBuild = (name, input) =>
  defineConfig({
    ...browserBuild,
    base: '/',
    build: {
      ...browserOutput(name),
      manifest: `.vite/${name}.json`,
      chunkSizeWarningLimit: 700,
      // Data URLs of fonts and styles are not allowed by the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input,
        // Their warnings mean nothing on a busy machine.
        checks: { pluginTimings: false },
        // Directives of React's server components, which mean nothing here.
        onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
      },
    },
  });
