import { LocalMedia } from './call/local-media';
import { checkDevices, deviceStatus } from './device-check';

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

describe('checkDevices', () => {
  const { navigator } = globalThis;

  afterEach(() => Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true }));

  it('measures no network for customers who save data', async () => {
    Object.defineProperty(globalThis, 'navigator', {
      value: { connection: { saveData: true } },
      configurable: true,
    });
    const iceServers = jest.fn();
    const report = await checkDevices({ media: new LocalMedia(), iceServers });
    expect(report).toEqual({ camera: 'refused', microphone: 'refused', network: null, relay: null });
    expect(iceServers).not.toHaveBeenCalled();
  });

  it('checks the devices again, but does not measure the network a second time', async () => {
    const iceServers = jest.fn(() => Promise.reject(new Error('The network must not be measured')));
    const media = { status: { camera: 'refused', audio: 'ok' } } as unknown as LocalMedia;
    const measured = { network: 'fair', relay: true } as const;
    expect(await checkDevices({ media, iceServers, measured })).toEqual({
      camera: 'refused',
      microphone: 'ok',
      network: 'fair',
      relay: true,
    });
    expect(iceServers).not.toHaveBeenCalled();
  });
});
