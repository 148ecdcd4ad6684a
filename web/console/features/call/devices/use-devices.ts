import { useEffect, useState } from 'react';
import type { DeviceLists, LocalMedia } from '../../../../shared/call/local-media';

const NONE: DeviceLists = { microphones: [], cameras: [], speakers: [] };

/** The devices of the browser, renewed when one is plugged in or permitted. */
export function useDevices(media: LocalMedia): DeviceLists {
  const [devices, setDevices] = useState(NONE);
  useEffect(() => {
    const renew = () => void media.devices().then(setDevices);
    renew();
    const stops = [media.on('devices', renew), media.on('change', renew)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [media]);
  return devices;
}
