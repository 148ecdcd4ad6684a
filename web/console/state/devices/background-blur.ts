import { signal } from '@preact/signals-core';

const STORAGE_KEY = 'vcq-console-blur';
const ON = 'on';

/** Whether the agent wants their background blurred, in this browser. */
export const wantsBlur = signal(localStorage.getItem(STORAGE_KEY) === ON);

export function keepBlur(isOn: boolean): void {
  if (isOn) localStorage.setItem(STORAGE_KEY, ON);
  else localStorage.removeItem(STORAGE_KEY);
  wantsBlur.value = isOn;
}

/** Whether the browser can blur the background of this camera. */
export function canBlur(camera: MediaStreamTrack | null): boolean {
  const { backgroundBlur = [] } = camera?.getCapabilities?.() ?? {};
  return backgroundBlur.includes(true) && backgroundBlur.includes(false);
}

/** Brings the camera to what the agent wants; without effect where the browser cannot do it. */
export async function applyBlur(camera: MediaStreamTrack | null): Promise<void> {
  if (!camera || !canBlur(camera)) return;
  const current = camera.getSettings();
  const isOn = wantsBlur.peek();
  if ((current.backgroundBlur ?? false) === isOn) return;
  const constraints = { ...camera.getConstraints(), backgroundBlur: isOn };
  await camera.applyConstraints(constraints).catch(() => undefined);
}
