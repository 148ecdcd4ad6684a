import sharp, { type Sharp } from 'sharp';
import { ApiError } from '../../platform/http/errors/api-error';
import { type PngOptions, resizeToPng } from './resize-to-png';

const LOGO = { side: 512 };
/** A busy machine is slow. */
const PATIENT = { memoryBytes: 200 * 1024 * 1024, durationMs: 60_000 };
const RED = { r: 255, g: 0, b: 0 };
const BLUE = { r: 0, g: 0, b: 255 };

const plain = (width: number, height: number, background = RED): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** Noise does not compress to a few bytes, so that cutting the file removes part of the picture. */
const noise = (width = 200, height = 100) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: RED,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

const toPng = (picture: Buffer, options: PngOptions = LOGO): Promise<Buffer> =>
  resizeToPng('tenant', picture, options, 'file', PATIENT);

const metadata = async (png: Buffer) => sharp(png).metadata();

async function refusal(picture: Buffer): Promise<unknown> {
  const error: unknown = await toPng(picture).catch((error: unknown) => error);
  return error instanceof ApiError ? [error.getStatus(), error.fields] : error;
}

const UNREADABLE = [
  422,
  { file: ['must be a complete picture of one of these formats: PNG, JPEG, WebP, GIF, AVIF'] },
];
const TOO_MANY_PIXELS = [422, { file: ['must have at most 4 megapixels'] }];

describe('resizeToPng', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('makes a PNG of a %s', async (format) => {
    const png = await toPng(await plain(40, 20)[format]().toBuffer());
    expect(await metadata(png)).toMatchObject({ format: 'png', width: 40, height: 20 });
  });

  it.each([
    [1024, 512, 512, 256],
    [300, 3000, 51, 512],
    [512, 512, 512, 512],
    [20, 10, 20, 10],
    [9000, 1, 512, 1],
  ])('fits %d × %d into %d × %d', async (width, height, newWidth, newHeight) => {
    const png = await toPng(await plain(width, height).png().toBuffer());
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

    const result = await metadata(await toPng(rotated));
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

    const png = await toPng(animated);
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
    const { isOpaque } = await sharp(await toPng(transparent)).stats();
    expect(isOpaque).toBe(false);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('rejects a truncated %s', async (format) => {
    const whole = await noise()[format]().toBuffer();
    await expect(toPng(whole)).resolves.toBeInstanceOf(Buffer);
    for (const length of [whole.length - 20, 40]) {
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

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('accepts 4 megapixels of a %s', async (format) => {
    const largest = await plain(2000, 2000)[format]().toBuffer();
    const png = await toPng(largest);
    expect(await metadata(png)).toMatchObject({ width: 512, height: 512 });
  });

  it('refuses more by the header alone', async () => {
    expect(await refusal(await plain(2000, 2001).png().toBuffer())).toEqual(TOO_MANY_PIXELS);
    const small = await plain(2000, 2001).avif({ chromaSubsampling: '4:4:4', effort: 0 }).toBuffer();
    expect(small.length).toBeLessThan(5000);
    expect(await refusal(small)).toEqual(TOO_MANY_PIXELS);
  });

  it.each([
    ['memory', { memoryBytes: 1024 * 1024, durationMs: 10_000 }],
    ['time', { memoryBytes: 1024 ** 3, durationMs: 1 }],
  ])('ends a process that takes too much %s', async (_what, limits) => {
    const picture = await plain(2000, 2000).png().toBuffer();
    await expect(resizeToPng('tenant', picture, LOGO, 'file', limits)).rejects.toMatchObject({
      fields: { file: ['must take less memory and time to decode'] },
    });
  });

  it('ends a decoder that takes too much memory while it runs', async () => {
    const slow = await noise(2000, 2000).avif({ quality: 100, effort: 0 }).toBuffer();
    const timeOf = async (memoryBytes: number) => {
      const limits = { memoryBytes, durationMs: PATIENT.durationMs };
      const start = performance.now();
      const made = await resizeToPng('tenant', slow, LOGO, 'file', limits).then(
        () => true,
        () => false,
      );
      return { made, ms: performance.now() - start };
    };
    const whole = await timeOf(1024 ** 3);
    // It holds about 100 MB before it decodes, and 190 MB meanwhile.
    const ended = await timeOf(145 * 1024 ** 2);
    expect([whole.made, ended.made]).toEqual([true, false]);
    expect(ended.ms).toBeLessThan(whole.ms / 2);
  }, 60_000);

  it.each([
    [1000, 400],
    [30, 90],
    [256, 256],
  ])('cuts the middle out of %d × %d for a square', async (width, height) => {
    const middle = await plain(2, 2, BLUE).png().toBuffer();
    const picture = await plain(width, height)
      .composite([{ input: middle }])
      .png()
      .toBuffer();
    const png = await toPng(picture, { side: 256, isSquare: true });
    expect(await metadata(png)).toMatchObject({ width: 256, height: 256 });
    const { data } = await sharp(png)
      .extract({ left: 128, top: 128, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[2]).toBeGreaterThan(data[0] ?? 255);
  });

  it('names the accepted formats when it rejects another one', async () => {
    const formats = ['png', 'jpeg', 'webp'] as const;
    const gif = await plain(4, 4).gif().toBuffer();
    await expect(toPng(gif, { side: 8, formats })).rejects.toMatchObject({
      fields: { file: ['must be a complete picture of one of these formats: PNG, JPEG, WebP'] },
    });
    await expect(toPng(await plain(4, 4).webp().toBuffer(), { side: 8, formats })).resolves.toBeInstanceOf(
      Buffer,
    );
  });
});
