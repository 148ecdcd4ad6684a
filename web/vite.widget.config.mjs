import { defineConfig } from 'vite';
import { compress } from './build/compress.mjs';

/** The embed script: one classic script without imports, whose address is written into the pages of companies. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  build: {
    outDir: '../dist/web',
    emptyOutDir: false,
    target: ['chrome109', 'safari16', 'firefox115'],
    sourcemap: false,
    reportCompressedSize: false,
    lib: {
      entry: 'widget/widget.ts',
      formats: ['iife'],
      name: 'videoCallQueue',
      fileName: () => 'widget.js',
    },
  },
  plugins: [compress()],
});
