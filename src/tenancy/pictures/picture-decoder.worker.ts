// Decodes one picture in a process of its own: decoders process untrusted input, and a file of a kilobyte can make them take
// any amount of memory, which no limit of V8 covers.
import sharp from 'sharp';

/** By the names that sharp has for them. */
export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'heif';

export interface DecodeRequest {
  picture: Uint8Array;
  /** The largest width and height of the result in pixels. */
  side: number;
  /** Cuts the middle out of the picture, so that it has exactly these sides. */
  isSquare: boolean;
  formats: readonly PictureFormat[];
  maxPixels: number;
  /** Bytes of resident memory, after which the process ends. */
  maxMemory: number;
}

/** Why there is no PNG: another format or an incomplete file, or more pixels than are decoded. */
export type DecodeAnswer = { png: Uint8Array } | { problem: 'format' | 'pixels' };

const WATCH_MS = 5;

// libvips detects the format from the content.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});
sharp.concurrency(1);

process.once('message', (request: DecodeRequest) => {
  // Decoders run in other threads. An exit would wait for them, while they take more and more.
  setInterval(() => {
    if (process.memoryUsage.rss() > request.maxMemory) process.kill(process.pid, 'SIGKILL');
  }, WATCH_MS);
  void decode(request).then((answer) => process.send?.(answer, () => process.exit(0)));
});

async function decode(request: DecodeRequest): Promise<DecodeAnswer> {
  const { picture, side, isSquare, formats, maxPixels } = request;
  try {
    const decoder = sharp(picture, { limitInputPixels: false, failOn: 'error', autoOrient: true });
    // Of the header alone.
    const { format, width, height } = await decoder.metadata();
    if (!formats.some((accepted) => accepted === format)) return { problem: 'format' };
    if (width * height > maxPixels) return { problem: 'pixels' };
    const fit = isSquare ? 'cover' : 'inside';
    const resized = decoder.resize({ width: side, height: side, fit, withoutEnlargement: !isSquare });
    return { png: await resized.png().toBuffer() };
  } catch {
    return { problem: 'format' };
  }
}
