import { defineConfig } from 'vite';
import { licenseList } from './build/license-list.mjs';

/** What the service runs to render pages: one module without dependencies. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ssr: { noExternal: true },
  build: {
    outDir: '../dist/web/server',
    emptyOutDir: false,
    target: 'node24',
    sourcemap: false,
    reportCompressedSize: false,
    ssr: 'server/index.ts',
    license: licenseList('server'),
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'render.cjs', codeSplitting: false } },
  },
});
