/** Paths of 24 × 24 units, drawn as lines of the text's colour. */
const PATHS = {
  microphone:
    'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M8.5 21h7',
  microphoneOff:
    'M9 9v2a3 3 0 0 0 4.5 2.6M15 10V6a3 3 0 0 0-5.7-1.3M5.5 11a6.5 6.5 0 0 0 10.6 5M18.5 11c0 .9-.2 1.7-.5 2.5M12 17.5V21M8.5 21h7M4 3l16 18',
  camera: 'M4.5 6.5h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 10.5l6-3v9l-6-3',
  cameraOff:
    'M10 6.5h3.5a2 2 0 0 1 2 2v3.5l6 4.5v-9l-5 2.6M15 16.6a2 2 0 0 1-1.5.9h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 1.7-2M3 3l18 18',
  screen: 'M3 5h18v11H3ZM8 20h8M12 16v4M12 13V8M9.5 10.5 12 8l2.5 2.5',
  record: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  stop: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9.5 9.5h5v5h-5Z',
  transfer: 'M4 9h14M14.5 5.5 18 9l-3.5 3.5M20 16H6M9.5 12.5 6 16l3.5 3.5',
  devices: 'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h11M19 17h1M17 15v4',
  pictureInPicture: 'M3 5h18v14H3ZM12 12h7v5h-7Z',
  hangUp:
    'M3.5 14.5c-1-1-1-2.6.2-3.7 4.6-4 12-4 16.6 0 1.2 1.1 1.2 2.7.2 3.7l-1 1c-.6.6-1.5.6-2.2.1l-1.8-1.3c-.5-.4-.8-1-.7-1.6l.1-1.2c-1.9-.6-3.9-.6-5.8 0l.1 1.2c.1.6-.2 1.2-.7 1.6l-1.8 1.3c-.7.5-1.6.5-2.2-.1Z',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture without a text of its own: the text is beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="call-icon" viewBox="0 0 24 24" aria-hidden focusable={false}>
      <path d={PATHS[name]} />
    </svg>
  );
}
