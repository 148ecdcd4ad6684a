import { previewColors } from './button-colors';

describe('previewColors', () => {
  it.each(['', '#fff', 'red', '#12345g'])('is null for %p', (color) => {
    expect(previewColors(color, 'light')).toBeNull();
  });

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
