import en from '../texts/en';
import pt from '../texts/pt';
import { errorText, refusalText, showsRequestId } from './error-text';
import { clockText, dayAndHourText, hourText } from './time-text';

describe('times of the department', () => {
  const now = Date.parse('2026-03-02T15:00:00Z');
  const here = { language: 'en' as const, zone: 'America/Sao_Paulo', now };

  it('names the zone only to a reader whose clock shows another hour', () => {
    expect(hourText('2026-03-02T21:00:00Z', 'America/Sao_Paulo', here)).toBe('6:00 PM');
    expect(hourText('2026-03-02T21:00:00Z', 'America/Bahia', here)).toBe('6:00 PM');
    expect(hourText('2026-03-02T21:00:00Z', 'America/Sao_Paulo', { ...here, zone: 'Europe/Berlin' })).toMatch(
      /^6:00 PM \(Brasilia .*Time\)$/,
    );
  });

  it.each([
    ['2026-03-02T17:00:00Z', 'today at 2:00 PM'],
    ['2026-03-03T12:00:00Z', 'tomorrow at 9:00 AM'],
    ['2026-03-05T12:00:00Z', 'Thursday, March 5 at 9:00 AM'],
    // The evening of the second in Brazil, and the third in UTC.
    ['2026-03-03T01:00:00Z', 'today at 10:00 PM'],
  ])('%s is %s', (iso, expected) => {
    expect(dayAndHourText(iso, 'America/Sao_Paulo', en, here).replaceAll('\u202f', ' ')).toBe(expected);
  });

  it('in the reader’s own zone, with its name, in a browser that does not know that of the department', () => {
    expect(hourText('2026-03-02T21:00:00Z', 'Mars/Base', here)).toMatch(/^6:00 PM \(Brasilia .*Time\)$/);
    // The evening of the second there.
    expect(dayAndHourText('2026-03-03T01:00:00Z', 'Mars/Base', en, here)).toMatch(
      /^today at 10:00 PM \(Brasilia .*Time\)$/,
    );
  });

  it('in Portuguese', () => {
    const text = dayAndHourText('2026-03-03T12:00:00Z', 'America/Sao_Paulo', pt, { ...here, language: 'pt' });
    expect(text).toBe('amanhã às 09:00');
  });

  it.each([
    [0, '0:00'],
    [67, '1:07'],
    [3723, '1:02:03'],
    [-5, '0:00'],
  ])('%d seconds on the clock: %s', (seconds, expected) => {
    expect(clockText(seconds)).toBe(expected);
  });
});

describe('errors', () => {
  it('has a sentence for known codes', () => {
    expect(errorText({ code: 'too_many_waiting' }, en)).toBe(en.errors.too_many_waiting);
    expect(showsRequestId({ code: 'too_many_waiting', request_id: 'r' }, en)).toBe(false);
  });

  it.each(['something_new', 'toString', 'nextTry'])('has a general one for %s', (code) => {
    expect(errorText({ code }, en)).toBe(en.errors.unknown);
  });

  it('shows the number of the request beside a general sentence', () => {
    expect(showsRequestId({ code: 'something_new', request_id: 'r' }, en)).toBe(true);
    expect(showsRequestId({ code: 'something_new', request_id: null }, en)).toBe(false);
  });

  it('never says that the page keeps trying when a button has failed', () => {
    for (const code of ['network', 'rate_limited', 'unavailable']) {
      expect(refusalText({ code }, en)).toMatch(/try again/);
      expect(refusalText({ code }, en)).not.toBe(errorText({ code }, en));
    }
    expect(refusalText({ code: 'callback_invited' }, en)).toBe(errorText({ code: 'callback_invited' }, en));
  });
});
