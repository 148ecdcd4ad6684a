import { useMemo } from 'react';
import { useCannedReplies } from '../../../state/use-canned-replies';
import { useBrowserReplies } from '../../../ui/browser-replies/use-browser-replies';
import type { Reply } from './slash.rules';

/** The texts of the company, and those that the user has kept in this browser. */
export function useReplies(): Reply[] {
  const { data } = useCannedReplies();
  const { replies: own } = useBrowserReplies();
  return useMemo(() => [...(data ?? []), ...own.map((reply) => ({ ...reply, shortcut: null }))], [data, own]);
}
