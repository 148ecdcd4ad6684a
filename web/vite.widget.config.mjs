import { defineConfig } from 'vite';
import { browserBuild, browserOutput } from './build/browser-build.mjs';

/** The embed script: one classic script without imports, whose address is written into the pages of companies. */
export default defineConfig({
  ...browserBuild,
  build: {
    ...browserOutput('widget'),
    lib: {
      entry: 'widget/widget.ts',
      formats: ['iife'],
      name: 'videoCallQueue',
      fileName: () => 'widget.js',
    },
  },
});
