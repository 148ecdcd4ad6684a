export interface DeviceChoice {
  deviceId?: string;
  /** Of a phone: towards the person, or away. */
  facingMode?: 'user' | 'environment';
}

const AUDIO: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
};
const VIDEO: MediaTrackConstraints = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30, max: 30 },
};

export function constraintsFor(wanted: {
  audio?: DeviceChoice;
  camera?: DeviceChoice;
}): MediaStreamConstraints {
  return {
    ...(wanted.audio && { audio: { ...AUDIO, ...choiceOf(wanted.audio) } }),
    ...(wanted.camera && { video: { ...VIDEO, ...choiceOf(wanted.camera) } }),
  };
}

/** `exact`, because the browser would silently open another device. */
function choiceOf({ deviceId, facingMode }: DeviceChoice): MediaTrackConstraints {
  if (deviceId) return { deviceId: { exact: deviceId } };
  return facingMode ? { facingMode: { ideal: facingMode } } : {};
}

/** @returns the other side of a phone, or else the next camera; null if there is only one */
export function nextCamera(
  current: { deviceId?: string; facingMode?: string },
  cameras: readonly { deviceId: string }[],
): DeviceChoice | null {
  if (current.facingMode === 'user') return { facingMode: 'environment' };
  if (current.facingMode === 'environment') return { facingMode: 'user' };
  if (cameras.length < 2) return null;
  const index = cameras.findIndex(({ deviceId }) => deviceId === current.deviceId);
  const next = cameras[(index + 1) % cameras.length];
  return next ? { deviceId: next.deviceId } : null;
}
