import { useEffect, useRef } from 'react';

interface StreamVideoProps {
  stream: MediaStream | null;
  label: string;
  testId?: string;
  className?: string;
  onElement?: (element: HTMLVideoElement | null) => void;
}

/** Always muted: sound has an element of its own. */
export function StreamVideo({ stream, label, testId, className, onElement }: StreamVideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const video = element.current;
    if (!video || video.srcObject === stream) return;
    video.srcObject = stream;
    // Some browsers do not begin by themselves after the stream was replaced.
    if (stream) video.play().catch(() => undefined);
  }, [stream]);
  useEffect(() => {
    onElement?.(element.current);
    return () => onElement?.(null);
  }, [onElement]);
  return (
    <video
      ref={element}
      className={className}
      data-testid={testId}
      aria-label={label}
      muted
      playsInline
      autoPlay
    />
  );
}
