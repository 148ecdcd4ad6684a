import sharp from 'sharp';
import { invalidField } from '../platform/http/errors/api-error';

const MAX_PIXELS = 40_000_000;
const TIMEOUT_SECONDS = 10;

// Decoders process untrusted input, so only those of the accepted formats are enabled. libvips detects the
// format from the content.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

/**
 * Converts a picture to a PNG that fits into `side` × `side` pixels, upright and without metadata. Of an
 * animated picture the first frame is used.
 * @throws 422 for `field` unless it is a complete PNG, JPEG, WebP, GIF or AVIF of at most 40 megapixels
 */
export async function resizeToPng(side: number, picture: Buffer, field: string): Promise<Buffer> {
  try {
    return await sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .png()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer();
  } catch (error) {
    throw invalidField(
      field,
      error instanceof Error && error.message.includes('pixel limit')
        ? `must have at most ${MAX_PIXELS / 1_000_000} megapixels`
        : 'must be a complete PNG, JPEG, WebP, GIF or AVIF picture',
    );
  }
}
