import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useCommonTexts } from '../texts/texts';
import { explain } from './explain';

export type Attempt = (action: () => Promise<unknown>) => void;

/** Runs what a button does, and tells what went wrong. */
export function useAttempt(): Attempt {
  const { error: sentences } = useCommonTexts();
  return useCallback(
    (action) => {
      action().catch((error: unknown) => {
        notifications.show({ color: 'red', message: explain(error, sentences), role: 'alert' });
      });
    },
    [sentences],
  );
}
