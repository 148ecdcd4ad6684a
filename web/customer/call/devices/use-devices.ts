import { useEffect, useState } from 'preact/hooks';
import type { DeviceLists } from '../../../shared/call/local-media';
import type { CallMedia } from '../call-media';

const NONE: DeviceLists = { microphones: [], cameras: [], speakers: [] };

/** The devices of the browser, renewed when one is plugged in or permitted. */
export function useDevices(media: CallMedia): DeviceLists {
  const [devices, setDevices] = useState(NONE);
  useEffect(() => {
    const renew = () => void media.local.devices().then(setDevices);
    renew();
    const stops = [media.local.on('devices', renew), media.local.on('change', renew)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [media]);
  return devices;
}

export const useCameraCount = (media: CallMedia): number => useDevices(media).cameras.length;
