/** Larger than what is read on a photo of a document, and about 1 MB. */
const MAX_SIDE = 2048;
const QUALITY = 0.85;

/** Scales a size down so that no side is longer than `max`. */
export function fit(width: number, height: number, max: number): { width: number; height: number } {
  const scale = Math.min(1, max / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The name of a photo that has become a JPEG. */
export const jpegName = (name: string): string => `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`;

/**
 * Draws a photo anew: smaller, upright, and without what the camera has written into it, such as the place.
 * @throws DOMException for a file that this browser cannot show as a picture
 */
export async function shrinkPhoto(photo: File): Promise<File> {
  const picture = await upright(photo);
  try {
    const { width, height } = fit(picture.width, picture.height, MAX_SIDE);
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    if (!context) throw new DOMException('There is no canvas', 'NotSupportedError');
    // What is transparent would become black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (!drawn) throw new DOMException('The picture is too large', 'EncodingError');
    return new File([drawn], jpegName(photo.name), { type: 'image/jpeg' });
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
