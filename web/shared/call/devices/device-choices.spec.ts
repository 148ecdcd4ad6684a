import { LocalMedia } from '../local-media';
import type { DevicesOn } from '../media-types';
import { DeviceChoices } from './device-choices';
import { FakeDevices } from './fake-devices';

const globals = globalThis as unknown as Record<string, unknown>;
const FAKES = ['addEventListener', 'removeEventListener', 'document'];

describe('DeviceChoices', () => {
  let kept: DevicesOn | undefined;
  const memory = { read: () => kept, keep: (devices: DevicesOn) => void (kept = devices) };

  beforeEach(() => {
    kept = undefined;
    for (const name of FAKES) globals[name] = Object.assign(() => undefined, new EventTarget());
    globals['document'] = new EventTarget();
  });
  afterEach(() => {
    for (const name of FAKES) delete globals[name];
  });

  /** A page of the call; loading it again brings another one. */
  function load() {
    const devices = new FakeDevices();
    const media = new LocalMedia(() => devices.asMediaDevices());
    return { devices, media, choices: new DeviceChoices(media, memory) };
  }

  it('opens both as long as nothing was turned off, and keeps nothing', async () => {
    const { media, choices } = load();
    await choices.open();
    expect(media).toMatchObject({ microphoneOn: true, cameraOn: true });
    expect(kept).toBeUndefined();
  });

  it.each<[off: 'Microphone' | 'Camera', after: object, status: object]>([
    ['Camera', { microphoneOn: true, cameraOn: false }, { audio: 'ok', camera: 'off' }],
    ['Microphone', { microphoneOn: false, cameraOn: true }, { audio: 'off', camera: 'ok' }],
  ])('asks after a reload for no %s that was turned off', async (name, after, status) => {
    const first = load();
    await first.choices.open();
    await first.media[`set${name}`](false);
    const second = load();
    await expect(second.choices.open()).resolves.toEqual(status);
    expect(second.media).toMatchObject(after);
    expect(second.devices.requests).toHaveLength(1);
    await second.media[`set${name}`](true);
    expect(second.media).toMatchObject({ microphoneOn: true, cameraOn: true });
    expect(kept).toEqual({ microphone: true, camera: true });
  });

  it('turns off what the check of the devices has left on', async () => {
    kept = { microphone: false, camera: false };
    const { media, choices } = load();
    await media.open({ audio: true, video: true });
    await choices.open();
    expect(media).toMatchObject({ microphoneOn: false, cameraOn: false });
  });

  it('keeps nothing of what follows the call', async () => {
    const { media, choices } = load();
    choices.close();
    await media.setCamera(false);
    expect(kept).toBeUndefined();
  });
});
