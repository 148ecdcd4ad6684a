import { notificationsStore } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { useLoaded } from '../late/use-loaded';

const load = () => import('./notice-stack');

/** What happened, in a corner of the page. */
export function Notices() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => notificationsStore.subscribe(() => setNeeded(true)), []);
  const { component: NoticeStack } = useLoaded(load, isNeeded);
  return NoticeStack && <NoticeStack />;
}
