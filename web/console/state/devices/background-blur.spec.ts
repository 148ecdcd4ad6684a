type Blur = typeof import('./background-blur');

const globals = globalThis as unknown as Record<string, unknown>;

/** A camera whose capabilities name these values of `backgroundBlur`. */
function camera(blur: boolean[] | undefined, isBlurred = false) {
  const applied: MediaTrackConstraints[] = [];
  const track = {
    getCapabilities: () => (blur ? { backgroundBlur: blur } : {}),
    getSettings: () => (blur ? { backgroundBlur: isBlurred } : {}),
    getConstraints: () => ({ width: { ideal: 1280 } }),
    applyConstraints: async (constraints: MediaTrackConstraints) => void applied.push(constraints),
  };
  return { track: track as unknown as MediaStreamTrack, applied };
}

describe('background blur', () => {
  let stored: Map<string, string>;
  let module: Blur;

  beforeEach(async () => {
    stored = new Map();
    globals['localStorage'] = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    };
    // It reads what is stored, so not before there is something to read from.
    module = await import('./background-blur');
  });
  afterEach(() => {
    module.keepBlur(false);
    delete globals['localStorage'];
  });

  it.each([
    ['that can be switched on and off', [false, true], true],
    ['that the system blurs always', [true], false],
    ['that the system never blurs', [false], false],
    ['of a browser that cannot blur', undefined, false],
  ])('is offered for a camera %s: %p', (_name, blur, canBlur) => {
    expect(module.canBlur(camera(blur).track)).toBe(canBlur);
  });

  it('is offered neither without a camera nor by a browser without capabilities', () => {
    expect(module.canBlur(null)).toBe(false);
    expect(module.canBlur({} as MediaStreamTrack)).toBe(false);
  });

  it('is applied to the camera, whose other constraints stay, and kept for the next page', async () => {
    const { track, applied } = camera([false, true]);
    module.keepBlur(true);
    await module.applyBlur(track);
    expect(applied).toEqual([{ width: { ideal: 1280 }, backgroundBlur: true }]);
    expect(stored.get('vcq-console-blur')).toBe('on');
    const blurred = camera([false, true], true);
    await module.applyBlur(blurred.track);
    expect(blurred.applied).toEqual([]);
    module.keepBlur(false);
    await module.applyBlur(blurred.track);
    expect(blurred.applied).toEqual([{ width: { ideal: 1280 }, backgroundBlur: false }]);
    expect(stored.has('vcq-console-blur')).toBe(false);
  });

  it('changes no camera that cannot do it, and goes on when the camera refuses', async () => {
    module.keepBlur(true);
    const { track, applied } = camera([false]);
    await module.applyBlur(track);
    expect(applied).toEqual([]);
    const refusing = camera([false, true]).track;
    refusing.applyConstraints = () => Promise.reject(new DOMException('', 'OverconstrainedError'));
    await expect(module.applyBlur(refusing)).resolves.toBeUndefined();
  });
});
