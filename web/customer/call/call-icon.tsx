import { Drawing, Icon, type IconName } from '../ui/icon';

/** The pictures that only the call needs. */
const PATHS = {
  microphone:
    'M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M8.5 21h7',
  microphoneOff:
    'M9 9v2a3 3 0 0 0 4.5 2.6M15 10V6a3 3 0 0 0-5.7-1.3M5.5 11a6.5 6.5 0 0 0 10.6 5M18.5 11c0 .9-.2 1.7-.5 2.5M12 17.5V21M8.5 21h7M4 3l16 18',
  switchCamera:
    'M4 8h3l1.500-2.500h7L17 8h3v11H4ZM8.500 14a3.500 3.500 0 0 1 6-2.400M15.500 13a3.500 3.500 0 0 1-6 2.400M14.700 9.800v2h-2M9.300 17.200v-2h2',
  chat: 'M4 5h16v11H10l-5 4v-4H4Z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  pictureInPicture: 'M3 5h18v14H3ZM12 12h7v5h-7Z',
  attach:
    'M19 11.500 12 18.500a4.500 4.500 0 0 1-6.400-6.400L13 4.700a3 3 0 0 1 4.300 4.300L10 16.300a1.500 1.500 0 0 1-2.200-2.200L14 8',
  speaker: 'M4 9.500h3.500L12 6v12l-4.500-3.500H4ZM15.500 9a4 4 0 0 1 0 6M18 6.500a7.500 7.500 0 0 1 0 11',
  send: 'M4 12 20 4l-4 16-4.500-6.500ZM11.500 13.500 20 4',
} as const;

export type CallIconName = keyof typeof PATHS | IconName;

/** As Icon, with the pictures of the call. */
export function CallIcon({ name }: { name: CallIconName }) {
  return isOfCall(name) ? <Drawing path={PATHS[name]} /> : <Icon name={name} />;
}

const isOfCall = (name: CallIconName): name is keyof typeof PATHS => name in PATHS;
