import { deviceZone, isKnownZone, shownZone } from './zones';

/** Lets the browser name this zone as its own. */
const deviceSays = (timeZone: string) =>
  jest
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone } as Intl.ResolvedDateTimeFormatOptions);

describe('zones', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are known by the database of the browser', () => {
    expect(['America/Sao_Paulo', 'UTC', 'Mars/Base', ''].map(isKnownZone)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('are replaced by that of the device where they are unknown', () => {
    deviceSays('Asia/Tokyo');
    expect(shownZone('America/Sao_Paulo')).toBe('America/Sao_Paulo');
    expect(shownZone('Mars/Base')).toBe('Asia/Tokyo');
  });

  it('of a device are UTC if the browser names one that it does not understand', () => {
    deviceSays('Etc/Unknown');
    expect(deviceZone()).toBe('UTC');
  });
});
