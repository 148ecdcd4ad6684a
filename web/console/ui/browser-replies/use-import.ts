import { useQueryClient } from '@tanstack/react-query';
import { ApiError, unwrap } from '../../../shared/api/client';
import { useApi, useConsole } from '../../state/console-context';
import { CANNED_REPLIES_KEY, fetchCannedReplies } from '../../state/use-canned-replies';
import { useCommonTexts } from '../../texts/texts';
import type { ErrorTexts } from '../../texts/errors-en';
import { explain, SaidError } from '../explain';
import { loadFieldTranslator } from '../form/field-sentences';
import { browserReplies } from './browser-replies';
import { browserReplyTexts } from './texts/texts';

const MAX_TITLE = 100;
/** The statuses with which the service refuses one reply, and may take the next one. */
const REFUSED = new Set([400, 422]);

/**
 * @returns gives the company the texts of this browser. Each one is removed here as soon as the company has it, so a repetition
 * after a failure adds none twice. @throws SaidError names those that were refused, after all others were taken; ApiError
 */
export function useImport(): () => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  const { userId } = useConsole();
  const texts = browserReplyTexts.use();
  const { error: sentences } = useCommonTexts();
  return async () => {
    browserReplies.noteOffer(userId);
    const refusals: string[] = [];
    try {
      const present = await fetchCannedReplies(api);
      for (const reply of browserReplies.read(userId)) {
        const body = { title: reply.title.trim().slice(0, MAX_TITLE), text: reply.text.trim() };
        const isKnown = present.some(({ title, text }) => title === body.title && text === body.text);
        try {
          if (!isKnown) await unwrap(api.POST('/api/v1/canned-replies', { body }));
          browserReplies.remove(userId, reply);
        } catch (error) {
          if (!(error instanceof ApiError) || !REFUSED.has(error.status)) throw error;
          refusals.push(`${reply.title} (${await reasonOf(error, sentences)})`);
        }
      }
    } finally {
      await queries.invalidateQueries({ queryKey: CANNED_REPLIES_KEY });
    }
    if (refusals.length > 0) throw new SaidError(texts.refused(refusals.join(', ')));
  };
}

async function reasonOf(error: ApiError, sentences: ErrorTexts): Promise<string> {
  const fields = Object.values(error.fields);
  if (fields.length === 0) return explain(error, sentences);
  const translate = await loadFieldTranslator();
  return fields.map((problems) => translate(problems)).join(', ');
}
