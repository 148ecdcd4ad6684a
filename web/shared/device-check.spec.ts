import { deviceStatus } from './device-check';

describe('deviceStatus', () => {
  it.each([
    ['ok', 'ok'],
    ['refused', 'refused'],
    ['prompt', 'refused'],
    ['off', 'refused'],
    ['missing', 'missing'],
    ['in_use', 'missing'],
  ] as const)('%s is reported as %s', (status, reported) => {
    expect(deviceStatus(status)).toBe(reported);
  });
});
