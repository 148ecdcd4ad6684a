import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Smaller files fit into one packet either way. */
export const MIN_BYTES = 256;
const COMPRESSIBLE = /\.(?:js|css|svg|json|wasm)$/;

/**
 * Writes a Brotli and a gzip file beside each asset, so that the server compresses nothing.
 * @returns {import('vite').Plugin}
 */
export function compress() {
  return {
    name: 'compress',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          if (!COMPRESSIBLE.test(fileName) || fileName.startsWith('.')) continue;
          const content = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          if (content.length < MIN_BYTES) continue;
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli(content) });
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.gz`,
            source: gzipSync(content, { level: 9 }),
          });
        }
      },
    },
  };
}

function brotli(content) {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}
