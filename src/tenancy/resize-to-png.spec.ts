import sharp, { type Sharp } from 'sharp';
import { ApiError } from '../platform/http/errors/api-error';
import { resizeToPng } from './resize-to-png';

const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

const plain = (width: number, height: number, background = RED): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** Noise does not compress to a few bytes, so that cutting the file removes part of the picture. */
const noise = () =>
  sharp({
    create: {
      width: 200,
      height: 100,
      channels: 3,
      background: RED,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

const metadata = async (png: Buffer) => sharp(png).metadata();

async function refusal(picture: Buffer): Promise<unknown> {
  const error: unknown = await resizeToPng(512, picture, 'file').catch((error: unknown) => error);
  return error instanceof ApiError ? [error.getStatus(), error.fields] : error;
}

const UNREADABLE = [422, { file: ['must be a complete PNG, JPEG, WebP, GIF or AVIF picture'] }];
const TOO_MANY_PIXELS = [422, { file: ['must have at most 40 megapixels'] }];

describe('resizeToPng', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('makes a PNG of a %s', async (format) => {
    const png = await resizeToPng(512, await plain(40, 20)[format]().toBuffer(), 'file');
    expect(await metadata(png)).toMatchObject({ format: 'png', width: 40, height: 20 });
  });

  it.each([
    [1024, 512, 512, 256],
    [300, 3000, 51, 512],
    [512, 512, 512, 512],
    [20, 10, 20, 10],
    [9000, 1, 512, 1],
  ])('fits %d × %d into %d × %d', async (width, height, newWidth, newHeight) => {
    const png = await resizeToPng(512, await plain(width, height).png().toBuffer(), 'file');
    expect(await metadata(png)).toMatchObject({ width: newWidth, height: newHeight });
  });

  it('rotates the picture upright and drops its metadata', async () => {
    const rotated = await plain(40, 20)
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'somebody', ImageDescription: 'at home' },
        IFD3: { GPSLatitude: '1/1 2/1 3/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await metadata(rotated)).toMatchObject({ width: 40, height: 20, orientation: 6 });

    const result = await metadata(await resizeToPng(512, rotated, 'file'));
    expect(result).toMatchObject({ width: 20, height: 40 });
    expect(result.orientation).toBeUndefined();
    expect(result.exif).toBeUndefined();
    expect(result.icc).toBeUndefined();
    expect(result.xmp).toBeUndefined();
  });

  it('uses the first frame of an animated picture', async () => {
    const frames = await Promise.all(
      [plain(8, 8, BLUE), plain(8, 8, RED)].map((frame) => frame.png().toBuffer()),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await metadata(animated)).pages).toBe(2);

    const png = await resizeToPng(512, animated, 'file');
    expect(await metadata(png)).toMatchObject({ width: 8, height: 8 });
    expect((await metadata(png)).pages).toBeUndefined();
    expect([...(await sharp(png).removeAlpha().raw().toBuffer()).subarray(0, 3)]).toEqual([0, 0, 255]);
  });

  it('keeps transparency', async () => {
    const transparent = await sharp({
      create: { width: 4, height: 4, channels: 4, background: { ...RED, alpha: 0 } },
    })
      .webp()
      .toBuffer();
    const { isOpaque } = await sharp(await resizeToPng(512, transparent, 'file')).stats();
    expect(isOpaque).toBe(false);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('rejects a truncated %s', async (format) => {
    const whole = await noise()[format]().toBuffer();
    await expect(resizeToPng(512, whole, 'file')).resolves.toBeInstanceOf(Buffer);
    for (const length of [whole.length - 20, Math.floor(whole.length / 2), 40, 8]) {
      expect(await refusal(whole.subarray(0, length))).toEqual(UNREADABLE);
    }
  });

  it('rejects a PNG with a flipped byte', async () => {
    const broken = await noise().png().toBuffer();
    broken[broken.length >> 1] ^= 0xff;
    expect(await refusal(broken)).toEqual(UNREADABLE);
  });

  it.each([
    ['nothing', ''],
    ['text', 'GIF, or so it says'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['SVG after a prologue', `<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"/>`],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    ['PDF', '%PDF-1.7\n1 0 obj'],
    ['only a signature', '\u0089PNG\r\n\u001a\n'],
    ['PPM', 'P3\n1 1\n255\n1 2 3\n'],
  ])('rejects %s', async (_what, text) => {
    expect(await refusal(Buffer.from(text, 'latin1'))).toEqual(UNREADABLE);
  });

  it('rejects TIFF, although sharp supports it', async () => {
    expect(await refusal(await plain(4, 4).tiff().toBuffer())).toEqual(UNREADABLE);
  });

  it('accepts 40 megapixels and no more', async () => {
    const largest = await plain(8000, 5000).png().toBuffer();
    expect(await metadata(await resizeToPng(512, largest, 'file'))).toMatchObject({
      width: 512,
      height: 320,
    });
    expect(await refusal(await plain(8000, 5001).png().toBuffer())).toEqual(TOO_MANY_PIXELS);
  });
});
