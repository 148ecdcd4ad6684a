import { useMemo } from 'react';
import { browserReplies, browserReplyChanges, type BrowserReply } from './browser-replies';
import { useConsole } from '../../state/console-context';
import { useSignalValue } from '../use-signal-value';

/** The user's texts in this browser, and whether to ask whether the company gets them. */
export function useBrowserReplies(): { replies: BrowserReply[]; wasOffered: boolean } {
  const { userId } = useConsole();
  const changes = useSignalValue(browserReplyChanges);
  return useMemo(
    () => ({ replies: browserReplies.read(userId), wasOffered: browserReplies.wasOffered(userId) }),
    // oxlint-disable-next-line react/exhaustive-deps
    [userId, changes],
  );
}
