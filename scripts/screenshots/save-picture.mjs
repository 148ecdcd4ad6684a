import { join, resolve } from 'node:path';
import sharp from 'sharp';

const IMAGES = resolve(import.meta.dirname, '..', '..', 'docs', 'images');
const MAX_BYTES = 64_000;
const MAX_WIDTH = 1280;

/** Saves a screen in docs/images, as WebP in the best quality that is small enough. */
export async function savePicture(page, name) {
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = join(IMAGES, `${name}.webp`);
  for (let quality = 90; quality >= 40; quality -= 10) {
    const { size } = await sharp(png)
      .resize({ width: MAX_WIDTH, withoutEnlargement: true })
      .webp({ quality })
      .toFile(file);
    if (size < MAX_BYTES) return console.log(`${name}.webp  ${size} bytes`);
  }
  throw new Error(`${name} has more than ${MAX_BYTES} bytes`);
}
