import { FakeDevices } from './devices/fake-devices';
import { LocalMedia, type LocalMediaEvents } from './local-media';

const globals = globalThis as unknown as Record<string, unknown>;
const BOTH = { audio: true, video: true };

describe('LocalMedia', () => {
  let devices: FakeDevices;
  let media: LocalMedia;
  let permissions: Record<string, string>;
  let page: EventTarget;

  beforeEach(() => {
    devices = new FakeDevices();
    media = new LocalMedia(() => devices.asMediaDevices());
    permissions = { microphone: 'prompt', camera: 'prompt' };
    page = new EventTarget();
    globals['addEventListener'] = page.addEventListener.bind(page);
    globals['removeEventListener'] = page.removeEventListener.bind(page);
    globals['document'] = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const query = ({ name }: { name: string }) => Promise.resolve({ state: permissions[name] });
    Object.defineProperty(globals['navigator'], 'permissions', { value: { query }, configurable: true });
  });

  afterEach(() => {
    media.stop();
    delete (globals['navigator'] as Record<string, unknown>)['permissions'];
    for (const name of ['addEventListener', 'removeEventListener', 'document']) delete globals[name];
  });

  /** Resolves with the next event. */
  const next = <E extends keyof LocalMediaEvents>(event: E) =>
    new Promise<LocalMediaEvents[E]>((resolve) => media.on(event, resolve));

  it('asks for both with one question', async () => {
    await expect(media.open(BOTH)).resolves.toEqual({ audio: 'ok', camera: 'ok' });
    expect(devices.requests).toHaveLength(1);
    expect(media).toMatchObject({ microphoneOn: true, cameraOn: true });
  });

  it.each([
    ['there is no camera', { video: 'NotFoundError' }, {}, { audio: 'ok', camera: 'missing' }],
    ['another program has the camera', { video: 'NotReadableError' }, {}, { audio: 'ok', camera: 'in_use' }],
    [
      'only the camera is refused',
      { video: 'NotAllowedError' },
      { camera: 'denied' },
      { audio: 'ok', camera: 'refused' },
    ],
    [
      'both are refused',
      { audio: 'NotAllowedError', video: 'NotAllowedError' },
      { microphone: 'denied', camera: 'denied' },
      { audio: 'refused', camera: 'refused' },
    ],
    [
      'the question was closed',
      { audio: 'NotAllowedError', video: 'NotAllowedError' },
      {},
      { audio: 'prompt', camera: 'prompt' },
    ],
  ])('says what works when %s', async (_, problems, states, result) => {
    devices.problems = problems;
    Object.assign(permissions, states);
    await expect(media.open(BOTH)).resolves.toEqual(result);
  });

  it('does not ask again after the question was closed', async () => {
    devices.problems = { audio: 'NotAllowedError', video: 'NotAllowedError' };
    await media.open(BOTH);
    expect(devices.requests).toHaveLength(1);
  });

  it('mutes without giving the microphone back, also over a change of the device', async () => {
    await media.open(BOTH);
    const [microphone] = devices.tracks;
    await media.setMicrophone(false);
    expect(microphone).toMatchObject({ enabled: false, readyState: 'live' });
    await media.chooseDevice('audio', 'other');
    expect(media.tracks.audio).not.toBe(microphone);
    expect(media.microphoneOn).toBe(false);
    await media.setMicrophone(true);
    expect(media.microphoneOn).toBe(true);
  });

  it('is still muted after the only microphone was unplugged and plugged in', async () => {
    await media.open(BOTH);
    await media.setMicrophone(false);
    devices.problems = { audio: 'NotFoundError' };
    const lost = next('lost');
    devices.tracks[0]?.end();
    await lost;
    devices.problems = {};
    const changed = next('change');
    devices.dispatchEvent(new Event('devicechange'));
    await changed;
    expect(media.status.audio).toBe('ok');
    expect(media.microphoneOn).toBe(false);
  });

  it('mutes while the browser still asks for the permission', async () => {
    const opening = media.open(BOTH);
    await media.setMicrophone(false);
    await opening;
    expect(media.tracks.audio?.enabled).toBe(false);
  });

  it.each([
    ['both', BOTH],
    ['the microphone before the camera', BOTH, { audio: 'NotFoundError' }],
    ['the camera alone', { audio: false, video: true }],
  ])(
    'leaves nothing on that is given while the call ends: %s',
    async (_, wanted, problems: FakeDevices['problems'] = {}) => {
      devices.problems = problems;
      const give = devices.getUserMedia.bind(devices);
      // The person thinks about the question.
      devices.getUserMedia = (constraints) =>
        new Promise<void>((resolve) => setImmediate(resolve)).then(() => give(constraints));
      const opening = media.open(wanted);
      media.stop();
      await opening;
      expect(devices.tracks.map(({ readyState }) => readyState)).not.toContain('live');
      expect(media.cameraOn).toBe(false);
    },
  );

  it('releases the camera that is turned off, and takes it again', async () => {
    await media.open(BOTH);
    const camera = devices.tracks[1];
    await expect(media.setCamera(false)).resolves.toBe('off');
    expect(camera?.readyState).toBe('ended');
    await expect(media.setCamera(true)).resolves.toBe('ok');
    expect(media.cameraOn).toBe(true);
  });

  it('remembers a device that was chosen while the camera is off', async () => {
    await media.open({ audio: true, video: false });
    await media.chooseDevice('camera', 'back');
    expect(media.cameraOn).toBe(false);
    await media.setCamera(true);
    expect(devices.requests.at(-1)).toMatchObject({ video: { deviceId: { exact: 'back' } } });
  });

  it('returns to the camera before if the chosen one does not work', async () => {
    await media.open(BOTH);
    const choose = media.chooseDevice('camera', 'broken');
    devices.problems = { video: 'NotReadableError' };
    const getUserMedia = devices.getUserMedia.bind(devices);
    devices.getUserMedia = (constraints) => {
      const answer = getUserMedia(constraints);
      devices.problems = {};
      return answer;
    };
    await expect(choose).resolves.toBe('in_use');
    expect(media.status.camera).toBe('ok');
  });

  it('takes another microphone when one is unplugged, and tells when there is none', async () => {
    await media.open(BOTH);
    const changed = next('change');
    devices.tracks[0]?.end();
    await changed;
    expect(media.tracks.audio?.readyState).toBe('live');
    devices.problems = { audio: 'NotFoundError' };
    const lost = next('lost');
    devices.tracks.at(-1)?.end();
    await expect(lost).resolves.toEqual({ kind: 'audio', status: 'missing' });
  });

  it('takes the missing microphone when it is plugged in', async () => {
    devices.problems = { audio: 'NotFoundError' };
    await media.open(BOTH);
    devices.problems = {};
    const changed = next('change');
    devices.dispatchEvent(new Event('devicechange'));
    await changed;
    expect(media.status).toEqual({ audio: 'ok', camera: 'ok' });
  });

  it('takes the devices again that iOS took from a page in the background', async () => {
    await media.open(BOTH);
    const [microphone, camera] = devices.tracks;
    microphone?.stop();
    if (camera) camera.muted = true;
    const changed = next('change');
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await changed;
    await media.setCamera(true);
    expect(media.tracks.audio).toMatchObject({ readyState: 'live' });
    expect(media.tracks.camera).toMatchObject({ readyState: 'live', muted: false });
    expect(media.tracks.camera).not.toBe(camera);
  });

  it('leaves working devices alone when the page returns', async () => {
    await media.open(BOTH);
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await media.setMicrophone(true);
    expect(devices.requests).toHaveLength(1);
  });
});
