import * as fc from 'fast-check';
import { buttonColours, contrast, relativeLuminance } from './button-colours';

const FALLBACK = { background: '#2563eb', text: '#ffffff' };

describe('buttonColours', () => {
  it.each([
    ['#2563eb', '#2563eb', '#ffffff'],
    ['#FFFFFF', '#ffffff', '#000000'],
    ['#000000', '#000000', '#ffffff'],
    ['#fde047', '#fde047', '#000000'],
    ['#f00', '#ff0000', '#000000'],
    ['#b91c1c', '#b91c1c', '#ffffff'],
    ['#777777', '#777777', '#000000'],
    ['#757575', '#757575', '#ffffff'],
  ])('%s gives %s with text in %s', (colour, background, text) => {
    expect(buttonColours(colour)).toEqual({ background, text });
  });

  it.each(['', 'red', '2563eb', '#25', '#2563eb80', '#2563eb;background:url(x)', '#2563eb\n', 'rgb(0,0,0)'])(
    '%j is not a colour',
    (colour) => expect(buttonColours(colour)).toEqual(FALLBACK),
  );

  it('has a contrast of at least 4.5:1 on every colour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const { background, text } = buttonColours(`#${number.toString(16).padStart(6, '0')}`);
        const ratio = contrast(relativeLuminance(background), relativeLuminance(text));
        expect(ratio).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(relativeLuminance(one), relativeLuminance(other))).toBeCloseTo(ratio, 2);
  });
});
