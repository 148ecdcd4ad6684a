import { useCallTexts } from '../../app/app-context';
import type { BrowserKind } from '../../device/browser';

type Mark = 'tune' | 'lock' | 'page' | 'camera' | 'menu';

/** What each browser shows in its address bar, and on which side. */
const MARKS: Record<BrowserKind, { mark: Mark; isAtEnd: boolean; isAtBottom: boolean }> = {
  chromeAndroid: { mark: 'tune', isAtEnd: false, isAtBottom: false },
  chromeDesktop: { mark: 'tune', isAtEnd: false, isAtBottom: false },
  safariIos: { mark: 'page', isAtEnd: false, isAtBottom: true },
  safariDesktop: { mark: 'menu', isAtEnd: false, isAtBottom: false },
  samsung: { mark: 'lock', isAtEnd: false, isAtBottom: false },
  firefox: { mark: 'camera', isAtEnd: false, isAtBottom: false },
  firefoxAndroid: { mark: 'lock', isAtEnd: false, isAtBottom: false },
  other: { mark: 'lock', isAtEnd: false, isAtBottom: false },
};

const SHAPES: Record<Mark, string> = {
  tune: 'M-7-4h6M5-4h2M-7 4h2M1 4h6M3-4a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM-1 4a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  lock: 'M-5-1H5v7H-5ZM-3-1v-2.500a3 3 0 0 1 6 0V-1',
  page: 'M-7-6H7V2H-7ZM-7 6H7',
  camera: 'M-8-4H2V4H-8ZM2-1 7-4v8L2 1M-8-7 7 7',
  menu: 'M-7-5H7M-7 0H7M-7 5H7',
};

/** A drawing of the browser's address bar, with a ring around the place of the setting. */
export function PermissionPicture({ kind }: { kind: BrowserKind }) {
  const { permission } = useCallTexts();
  const { mark, isAtBottom } = MARKS[kind];
  const y = isAtBottom ? 74 : 22;
  return (
    <svg class="permission-picture" viewBox="0 0 220 96" role="img" aria-label={permission.picture}>
      <rect class="picture-window" x="2" y="2" width="216" height="92" rx="12" />
      <rect class="picture-bar" x="12" y={y - 13} width="196" height="26" rx="13" />
      <path class="picture-text" d={`M52 ${y}h92`} />
      <g class="picture-lines">
        <path d={isAtBottom ? 'M24 22h120M24 38h88' : 'M24 54h120M24 70h88'} />
      </g>
      <circle class="picture-ring" cx="30" cy={y} r="16" />
      <path class="picture-mark" d={SHAPES[mark]} transform={`translate(30 ${y})`} />
    </svg>
  );
}
