import { useEffect, useRef } from 'preact/hooks';
import { meterLevel } from '../../shared/level-meter';

/** How loud the microphone is, several times a second: drawn directly, not through the page's state. */
export function LevelBar({ track, label }: { track: MediaStreamTrack; label: string }) {
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(
    () =>
      meterLevel(track, (level) => {
        if (meter.current) meter.current.value = level;
      }),
    [track],
  );
  return <meter class="level" ref={meter} min={0} max={1} value={0} aria-label={label} />;
}
