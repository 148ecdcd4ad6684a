import { useLayoutEffect, useRef } from 'preact/hooks';

interface VideoProps {
  stream: MediaStream | null;
  label: string;
  className?: string;
  testId?: string;
  /** As in a mirror, for the own face. */
  isMirrored?: boolean;
  onElement?: (element: HTMLVideoElement | null) => void;
}

/** A picture without sound: the sound of the call has an element of its own. */
export function Video({ stream, label, className = '', testId, isMirrored = false, onElement }: VideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useLayoutEffect(() => {
    const element = video.current;
    if (!element || element.srcObject === stream) return;
    element.srcObject = stream;
    element.play().catch(() => undefined);
  }, [stream]);
  useLayoutEffect(() => {
    onElement?.(video.current);
    return () => onElement?.(null);
  }, []);
  return (
    <video
      ref={video}
      class={`${className} ${isMirrored ? 'mirrored' : ''}`}
      aria-label={label}
      data-testid={testId}
      autoPlay
      playsInline
      muted
    />
  );
}
