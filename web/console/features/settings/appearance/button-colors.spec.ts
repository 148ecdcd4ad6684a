import { brandColors } from '../../../../../src/pages/html/brand-colors';
import { previewColors } from './button-colors';

describe('previewColors', () => {
  it.each(['', '#fff', 'red', '#12345g'])('is null for %p', (color) => {
    expect(previewColors(color, 'light')).toBeNull();
  });

  it.each(['#2563eb', '#FFEB3B', '#ffffff', '#000000', '#7f7f7f', '#e11d48', '#0b1020'])(
    'shows %s as the service does',
    (color) => {
      const { accent, on_accent, accent_dark, on_accent_dark } = brandColors(color);
      expect(previewColors(color, 'light')).toMatchObject({ background: accent, text: on_accent });
      expect(previewColors(color, 'dark')).toMatchObject({ background: accent_dark, text: on_accent_dark });
    },
  );

  it.each([
    ['#2563EB', 'light', false],
    ['#ffeb3b', 'light', true],
    ['#ffeb3b', 'dark', false],
    ['#0b1020', 'dark', true],
  ] as const)('says whether %s is adjusted in %s: %p', (color, scheme, isAdjusted) => {
    const colors = previewColors(color, scheme);
    expect(colors?.isAdjusted).toBe(isAdjusted);
    expect(colors?.textContrast).toBeGreaterThanOrEqual(4.5);
  });
});
