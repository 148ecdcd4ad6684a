/** Paths of 24 × 24 units, drawn as lines of the text's colour. */
const PATHS = {
  camera: 'M4.5 6.5h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 10.5l6-3v9l-6-3',
  cameraOff:
    'M10 6.5h3.5a2 2 0 0 1 2 2v3.5l6 4.5v-9l-5 2.6M15 16.6a2 2 0 0 1-1.500.9h-9a2 2 0 0 1-2-2v-7a2 2 0 0 1 1.700-2M3 3l18 18',
  screen: 'M3 5h18v11H3ZM8 20h8M12 16v4M12 13V8M9.500 10.500 12 8l2.500 2.500',
  hangUp:
    'M3.500 14.500c-1-1-1-2.600.2-3.700 4.600-4 12-4 16.600 0 1.200 1.100 1.200 2.700.2 3.700l-1 1c-.6.6-1.500.6-2.200.1l-1.800-1.300c-.5-.4-.8-1-.7-1.600l.1-1.200c-1.900-.6-3.900-.6-5.800 0l.1 1.200c.1.6-.2 1.200-.7 1.600l-1.800 1.300c-.7.5-1.600.5-2.200-.1Z',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.500 10 17.500 19.500 7',
  warning: 'M12 4 21 19.500H3ZM12 10v4.500M12 17h.01',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5.500M12 7.700h.01',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5.500l3.500 2',
  bell: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 2h-15ZM10 20.500h4',
  door: 'M14 4h5v16h-5M4 12h10M10.500 8.500 14 12l-3.500 3.500',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20.500c.8-4 3.800-6 7.500-6s6.700 2 7.500 6',
  offline:
    'M3 3l18 18M8.500 15.500a5 5 0 0 1 6-.8M5 12a10 10 0 0 1 4.500-2.600M14 9.200A10 10 0 0 1 19 12M2 8.500a15 15 0 0 1 5-3.200M11.500 4.500A15 15 0 0 1 22 8.500M12 19h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture without a text of its own: the text is beside it, or the label of its button. */
export const Icon = ({ name }: { name: IconName }) => <Drawing path={PATHS[name]} />;

/** @param path of 24 × 24 units */
export function Drawing({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
