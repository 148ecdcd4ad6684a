import sharp, { type Sharp } from 'sharp';
import { ApiError } from '../platform/http/errors/api-error';
import { pngWithin } from './png-image';

const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

const plain = (width: number, height: number, background = RED): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** Too varied to be shrunk to a few bytes, so that a part of it is really missing when it is cut. */
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
  const error: unknown = await pngWithin(512, picture, 'file').catch((error: unknown) => error);
  return error instanceof ApiError ? [error.getStatus(), error.fields] : error;
}

const UNREADABLE = [
  422,
  { file: ['must be a PNG, JPEG, WebP, GIF or AVIF picture that can be read to its end'] },
];
const TOO_MANY_PIXELS = [422, { file: ['must have at most 40 megapixels'] }];

describe('pngWithin', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('makes a PNG of a %s', async (format) => {
    const png = await pngWithin(512, await plain(40, 20)[format]().toBuffer(), 'file');
    expect(await metadata(png)).toMatchObject({ format: 'png', width: 40, height: 20 });
  });

  it.each([
    [1024, 512, 512, 256],
    [300, 3000, 51, 512],
    [512, 512, 512, 512],
    [20, 10, 20, 10],
    [9000, 1, 512, 1],
  ])('fits %d × %d into %d × %d', async (width, height, newWidth, newHeight) => {
    const png = await pngWithin(512, await plain(width, height).png().toBuffer(), 'file');
    expect(await metadata(png)).toMatchObject({ width: newWidth, height: newHeight });
  });

  it('turns it upright and drops what a camera says', async () => {
    const lying = await plain(40, 20)
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'somebody', ImageDescription: 'at home' },
        IFD3: { GPSLatitude: '1/1 2/1 3/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await metadata(lying)).toMatchObject({ width: 40, height: 20, orientation: 6 });

    const upright = await metadata(await pngWithin(512, lying, 'file'));
    expect(upright).toMatchObject({ width: 20, height: 40 });
    expect(upright.orientation).toBeUndefined();
    expect(upright.exif).toBeUndefined();
    expect(upright.icc).toBeUndefined();
    expect(upright.xmp).toBeUndefined();
  });

  it('takes the first frame of an animated picture', async () => {
    const frames = await Promise.all(
      [plain(8, 8, BLUE), plain(8, 8, RED)].map((frame) => frame.png().toBuffer()),
    );
    const animated = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await metadata(animated)).pages).toBe(2);

    const png = await pngWithin(512, animated, 'file');
    expect(await metadata(png)).toMatchObject({ width: 8, height: 8 });
    expect((await metadata(png)).pages).toBeUndefined();
    expect([...(await sharp(png).removeAlpha().raw().toBuffer()).subarray(0, 3)]).toEqual([0, 0, 255]);
  });

  it('keeps what can be seen through', async () => {
    const ghost = await sharp({
      create: { width: 4, height: 4, channels: 4, background: { ...RED, alpha: 0 } },
    })
      .webp()
      .toBuffer();
    const { isOpaque } = await sharp(await pngWithin(512, ghost, 'file')).stats();
    expect(isOpaque).toBe(false);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('refuses a %s that is cut off', async (format) => {
    const whole = await noise()[format]().toBuffer();
    await expect(pngWithin(512, whole, 'file')).resolves.toBeInstanceOf(Buffer);
    for (const length of [whole.length - 20, Math.floor(whole.length / 2), 40, 8]) {
      expect(await refusal(whole.subarray(0, length))).toEqual(UNREADABLE);
    }
  });

  it('refuses a PNG with a flipped bit in it', async () => {
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
  ])('refuses %s', async (_what, text) => {
    expect(await refusal(Buffer.from(text, 'latin1'))).toEqual(UNREADABLE);
  });

  it('refuses TIFF, which sharp could decode', async () => {
    expect(await refusal(await plain(4, 4).tiff().toBuffer())).toEqual(UNREADABLE);
  });

  it('takes 40 megapixels and no more', async () => {
    const most = await plain(8000, 5000).png().toBuffer();
    expect(await metadata(await pngWithin(512, most, 'file'))).toMatchObject({ width: 512, height: 320 });
    expect(await refusal(await plain(8000, 5001).png().toBuffer())).toEqual(TOO_MANY_PIXELS);
  });
});
