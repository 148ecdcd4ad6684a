import { useCallback } from 'react';
import { ApiError } from '../../../../shared/api/client';
import { useCommonTexts } from '../../../texts/texts';
import { explain } from '../../../ui/explain';
import { callTexts } from '../texts/texts';
import { FILE_UNREADABLE } from '../../../state/uploads/send-file';

/** @returns says why a file was not uploaded */
export function useUploadProblem(): (error: unknown) => string {
  const { files: labels } = callTexts.use();
  const { error: sentences } = useCommonTexts();
  return useCallback(
    (error) => {
      const code = error instanceof ApiError ? error.code : '';
      if (code === 'payload_too_large') return labels.tooLarge;
      if (code === FILE_UNREADABLE) return labels.unreadable;
      return explain(error, sentences);
    },
    [labels, sentences],
  );
}
