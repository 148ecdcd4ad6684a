import sharp from 'sharp';
import { invalidField } from '../platform/http/errors/api-error';

const LARGEST_PIXELS = 40_000_000;
const LONGEST_SECONDS = 10;

// A decoder is code that strangers send input to: this process has none but for what a picture may be.
// libvips goes by the content, never by a name.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

/**
 * The picture as a PNG that fits into `side` × `side` pixels, turned upright and without metadata; the first
 * frame of an animated one.
 * @throws 422 for `field` unless it is a whole PNG, JPEG, WebP, GIF or AVIF of at most 40 megapixels
 */
export async function pngWithin(side: number, picture: Buffer, field: string): Promise<Buffer> {
  try {
    return await sharp(picture, { limitInputPixels: LARGEST_PIXELS, failOn: 'error', autoOrient: true })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .png()
      .timeout({ seconds: LONGEST_SECONDS })
      .toBuffer();
  } catch (error) {
    throw invalidField(
      field,
      error instanceof Error && error.message.includes('pixel limit')
        ? `must have at most ${LARGEST_PIXELS / 1_000_000} megapixels`
        : 'must be a PNG, JPEG, WebP, GIF or AVIF picture that can be read to its end',
    );
  }
}
