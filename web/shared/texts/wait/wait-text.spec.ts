import { wait as en } from './en';
import { wait as es } from './es';
import { wait as pt } from './pt';
import { waitText } from './wait-text';

const MINUTE = 60;

describe('waitText', () => {
  it.each([
    [0, 30, 'less than a minute'],
    [30, MINUTE, 'up to 1 minute'],
    [30, 4 * MINUTE, 'up to 4 minutes'],
    [MINUTE, MINUTE, 'about 1 minute'],
    [5 * MINUTE, 5 * MINUTE, 'about 5 minutes'],
    [4 * MINUTE, 11 * MINUTE, '4 to 11 minutes'],
    [40 * MINUTE, 120 * MINUTE, '40 minutes to 2 hours'],
    [90 * MINUTE, 150 * MINUTE, '1 h 30 min to 2 h 30 min'],
  ])('%d to %d seconds: %s', (low, high, expected) => {
    expect(waitText({ estimate: 0, range: { low, high } }, en, 'en')).toBe(expected);
  });

  it.each([
    [10, 'about 1 minute'],
    [MINUTE, 'about 1 minute'],
    [181, 'about 4 minutes'],
    [16 * MINUTE, 'about 20 minutes'],
    [120 * MINUTE, 'about 2 hours'],
  ])('%d seconds without a range: %s', (estimate, expected) => {
    expect(waitText({ estimate, range: null }, en, 'en')).toBe(expected);
  });

  it('in the other languages', () => {
    const wait = { estimate: 0, range: { low: 4 * MINUTE, high: 11 * MINUTE } };
    expect(waitText(wait, pt, 'pt')).toBe('de 4 a 11 minutos');
    expect(waitText(wait, es, 'es')).toBe('de 4 a 11 minutos');
  });
});
