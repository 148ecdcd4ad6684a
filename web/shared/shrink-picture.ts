const QUALITY = 0.85;

const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const;

export interface ShrunkPicture {
  /** Pixels. */
  maxSide: number;
  /** What is transparent becomes white in a JPEG. */
  type: keyof typeof EXTENSIONS;
}

/** Scales a size down so that no side is longer than `max`. */
export function fit(width: number, height: number, max: number): { width: number; height: number } {
  const scale = Math.min(1, max / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The name of a picture that has another type now. */
export const nameAs = (type: ShrunkPicture['type'], name: string): string =>
  `${name.replace(/\.[^.]*$/, '') || 'photo'}.${EXTENSIONS[type]}`;

/**
 * Draws a picture anew: smaller, upright, and without what the camera has written into it, such as the place.
 * @throws DOMException for a file that this browser cannot show as a picture
 */
export async function shrinkPicture(file: File, { maxSide, type }: ShrunkPicture): Promise<File> {
  const picture = await upright(file);
  try {
    const { width, height } = fit(picture.width, picture.height, maxSide);
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    if (!context) throw new DOMException('There is no canvas', 'NotSupportedError');
    // What is transparent would become black.
    if (type === 'image/jpeg') {
      context.fillStyle = '#fff';
      context.fillRect(0, 0, width, height);
    }
    context.drawImage(picture, 0, 0, width, height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
    if (!drawn) throw new DOMException('The picture is too large', 'EncodingError');
    return new File([drawn], nameAs(type, file.name), { type });
  } finally {
    picture.close();
  }
}

/** Browsers of before 2024 know other names of the option, or none, and turn photos upright by themselves. */
async function upright(photo: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(photo, { imageOrientation: 'from-image' });
  } catch (error) {
    // A name that is not known, as opposed to a file that is no picture.
    if (!(error instanceof TypeError)) throw error;
    return createImageBitmap(photo);
  }
}
