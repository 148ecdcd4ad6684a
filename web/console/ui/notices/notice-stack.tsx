import { Notifications } from '@mantine/notifications';

export default function NoticeStack() {
  return <Notifications position="top-right" />;
}
