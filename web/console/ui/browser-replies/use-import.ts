import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { browserReplies } from './browser-replies';
import { useApi, useConsole } from '../../state/console-context';
import { CANNED_REPLIES_KEY, useCannedReplies } from '../../state/use-canned-replies';

const MAX_TITLE = 100;

/**
 * @returns gives the company the texts of this browser. Each one is removed here as soon as the company has it, so a repetition
 * after a failure adds none twice. @throws ApiError
 */
export function useImport(): () => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  const { userId } = useConsole();
  const { data: present = [] } = useCannedReplies();
  return async () => {
    browserReplies.noteOffer(userId);
    try {
      for (const reply of browserReplies.read(userId)) {
        const body = { title: reply.title.trim().slice(0, MAX_TITLE), text: reply.text.trim() };
        const isKnown = present.some(({ title, text }) => title === body.title && text === body.text);
        if (!isKnown) await unwrap(api.POST('/api/v1/canned-replies', { body }));
        browserReplies.remove(userId, reply);
      }
    } finally {
      await queries.invalidateQueries({ queryKey: CANNED_REPLIES_KEY });
    }
  };
}
