import { areasOf, fitInto } from './picture-layout.rules';

const SIZE = { width: 1280, height: 720 };
const FULL = { x: 0, y: 0, ...SIZE };

describe('the picture of a recording', () => {
  it.each([
    ['nobody', 0, false, []],
    ['one person', 1, false, [FULL]],
    [
      'two people side by side',
      2,
      false,
      [
        { x: 0, y: 0, width: 640, height: 720 },
        { x: 640, y: 0, width: 640, height: 720 },
      ],
    ],
    ['a screen', 0, true, [FULL]],
    [
      'a screen with two people beside it',
      2,
      true,
      [
        { x: 0, y: 0, width: 960, height: 720 },
        { x: 960, y: 0, width: 320, height: 360 },
        { x: 960, y: 360, width: 320, height: 360 },
      ],
    ],
  ])('has areas for %s', (_what, people, hasScreen, areas) => {
    expect(areasOf(SIZE, people, hasScreen)).toEqual(areas);
  });

  it('cuts nothing off', () => {
    expect(fitInto({ x: 640, y: 0, width: 640, height: 720 }, { width: 640, height: 480 })).toEqual({
      x: 640,
      y: 120,
      width: 640,
      height: 480,
    });
    expect(fitInto(FULL, { width: 360, height: 720 })).toEqual({ x: 460, y: 0, width: 360, height: 720 });
  });
});
