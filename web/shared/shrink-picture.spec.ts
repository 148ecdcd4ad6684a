import { fit, nameAs, shrinkPicture } from './shrink-picture';

const PHOTO = { maxSide: 2048, type: 'image/jpeg' } as const;

const photo = () => new File(['photo'], 'IMG_1.HEIC');

/** A browser that does not know the option. Its canvas draws nothing. */
function oldBrowser(problem: Error) {
  const picture = { width: 4000, height: 3000, close: jest.fn() };
  const createImageBitmap = jest.fn(async (_photo: File, options?: object) => {
    if (options) throw problem;
    return picture;
  });
  const context = { fillRect: jest.fn(), drawImage: jest.fn() };
  const canvas = {
    getContext: () => context,
    toBlob: (give: (blob: Blob) => void) => give(new Blob(['jpeg'])),
  };
  Object.assign(globalThis, { createImageBitmap, document: { createElement: () => canvas } });
  return canvas;
}

describe('in a browser that does not know how photos are turned', () => {
  afterEach(() => {
    for (const name of ['createImageBitmap', 'document']) Reflect.deleteProperty(globalThis, name);
  });

  it('a photo is shrunk all the same', async () => {
    const canvas = oldBrowser(new TypeError("'from-image' is not a valid value"));
    expect((await shrinkPicture(photo(), PHOTO)).name).toBe('IMG_1.jpg');
    expect(canvas).toMatchObject({ width: 2048, height: 1536 });
  });

  it('a file that is no picture is read once', async () => {
    oldBrowser(new DOMException('The source image could not be decoded.', 'InvalidStateError'));
    await expect(shrinkPicture(photo(), PHOTO)).rejects.toMatchObject({ name: 'InvalidStateError' });
  });
});

describe('a photo that is sent', () => {
  it.each([
    [4000, 3000, 2048, 1536],
    [3000, 4000, 1536, 2048],
    [800, 600, 800, 600],
    [2048, 2048, 2048, 2048],
    [100_000, 1, 2048, 1],
  ])('of %d × %d pixels becomes %d × %d', (width, height, newWidth, newHeight) => {
    expect(fit(width, height, 2048)).toEqual({ width: newWidth, height: newHeight });
  });

  it.each([
    ['IMG_1.HEIC', 'IMG_1.jpg'],
    ['a.b.png', 'a.b.jpg'],
    ['photo', 'photo.jpg'],
    ['.png', 'photo.jpg'],
  ])('%s is named %s', (name, expected) => {
    expect(nameAs('image/jpeg', name)).toBe(expected);
  });
});
