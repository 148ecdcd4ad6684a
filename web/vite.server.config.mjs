import { defineConfig } from 'vite';

/** What the service runs to render the first screen of the customer's page: one module without dependencies. */
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
    ssr: 'customer/server/render.tsx',
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'customer.cjs', codeSplitting: false } },
  },
});
