import sharp from 'sharp';
import { invalidField } from '../http/errors/api-error';

const MAX_PIXELS = 40_000_000;
const TIMEOUT_SECONDS = 10;

// Decoders process untrusted input, so only those of the accepted formats are enabled. libvips detects the
// format from the content.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

/** By the names that sharp has for them. */
const FORMAT_NAMES = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', gif: 'GIF', heif: 'AVIF' } as const;

type PictureFormat = keyof typeof FORMAT_NAMES;

const ALL_FORMATS = Object.keys(FORMAT_NAMES) as PictureFormat[];

export interface PngOptions {
  /** The largest width and height in pixels. */
  side: number;
  /** Cuts the middle out of the picture, so that it has exactly these sides. */
  isSquare?: boolean;
  /** Those that are accepted; all by default. */
  formats?: readonly PictureFormat[];
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Converts a picture to a PNG, upright and without metadata. Of an animated picture the first frame is used. The process
 * decodes one picture at a time: decoding uses threads that logins need, and 160 MB for 40 megapixels.
 * @throws 422 for `field` unless it is a complete picture of an accepted format and of at most 40 megapixels
 */
export function resizeToPng(picture: Buffer, options: PngOptions, field: string): Promise<Buffer> {
  const result = lastRun.then(() => convert(picture, options, field));
  lastRun = result.catch(() => {});
  return result;
}

async function convert(
  picture: Buffer,
  { side, isSquare = false, formats = ALL_FORMATS }: PngOptions,
  field: string,
): Promise<Buffer> {
  const isAccepted = (format: string | undefined) => formats.some((accepted) => accepted === format);
  try {
    const decoder = sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true });
    if (!isAccepted((await decoder.metadata()).format)) throw new Error('The format is not accepted');
    return await decoder
      .resize({
        width: side,
        height: side,
        fit: isSquare ? 'cover' : 'inside',
        withoutEnlargement: !isSquare,
      })
      .png()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer();
  } catch (error) {
    throw invalidField(
      field,
      error instanceof Error && error.message.includes('pixel limit')
        ? `must have at most ${MAX_PIXELS / 1_000_000} megapixels`
        : `must be a complete picture of one of these formats: ${formats.map((format) => FORMAT_NAMES[format]).join(', ')}`,
    );
  }
}
