import fc from 'fast-check';
import { contrast, relativeLuminance } from '../../tenancy/mail/button-colours';
import { brandColors } from './brand-colors';

const between = (one: string, other: string) => contrast(relativeLuminance(one), relativeLuminance(other));

describe('brandColors', () => {
  it.each<[string, string, string, string, string]>([
    // A colour that stands out on both schemes stays.
    ['#e8590c', '#e8590c', '#000000', '#e8590c', '#000000'],
    // Blue is lighter on a dark page.
    ['#2563eb', '#2563eb', '#ffffff', '#366fed', '#000000'],
    // Yellow and white are darker on a light page.
    ['#ffd400', '#a38800', '#000000', '#ffd400', '#000000'],
    ['#ffffff', '#8a8a8a', '#000000', '#ffffff', '#000000'],
    ['#000000', '#000000', '#ffffff', '#7a7a7a', '#000000'],
    ['not a colour', '#2563eb', '#ffffff', '#366fed', '#000000'],
  ])('of %s', (primary, accent, on_accent, accent_dark, on_accent_dark) => {
    expect(brandColors(primary)).toEqual({ accent, on_accent, accent_dark, on_accent_dark });
  });

  it('can be read and found on any of the surfaces, whatever the colour', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(color, (primary) => {
        const { accent, on_accent, accent_dark, on_accent_dark } = brandColors(primary);
        expect(between(accent, on_accent)).toBeGreaterThanOrEqual(4.5);
        expect(between(accent_dark, on_accent_dark)).toBeGreaterThanOrEqual(4.5);
        for (const surface of ['#ffffff', '#f1f3f5'])
          expect(between(accent, surface)).toBeGreaterThanOrEqual(3);
        for (const surface of ['#000000', '#2a2d33'])
          expect(between(accent_dark, surface)).toBeGreaterThanOrEqual(3);
      }),
    );
  });
});
