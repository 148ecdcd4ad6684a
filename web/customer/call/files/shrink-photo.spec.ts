import { fit, jpegName } from './shrink-photo';

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
    expect(jpegName(name)).toBe(expected);
  });
});
