import { notificationsStore } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState } from 'react';

const NoticeStack = lazy(() => import('./notice-stack'));

/** What happened, in a corner of the page. What draws it is loaded with the first notice. */
export function Notices() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => notificationsStore.subscribe(() => setNeeded(true)), []);
  return <Suspense>{isNeeded && <NoticeStack />}</Suspense>;
}
