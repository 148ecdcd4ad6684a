import { useEffect, useRef } from 'preact/hooks';

interface StreamVideoProps {
  stream: MediaStream | null;
  label: string;
  testId?: string;
  class?: string;
  onElement?: (element: HTMLVideoElement | null) => void;
}

/** Always muted: sound has an element of its own. */
export function StreamVideo({ stream, label, testId, class: name, onElement }: StreamVideoProps) {
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
    <video ref={element} class={name} data-testid={testId} aria-label={label} muted playsInline autoPlay />
  );
}
