import { useCallback } from 'react';
import { ApiError } from '../../../../shared/api/client';
import { useCommonTexts } from '../../../texts/texts';
import { explain } from '../../../ui/explain';
import { callTexts } from '../texts/texts';

/** @returns says why a file was not uploaded */
export function useUploadProblem(): (error: unknown) => string {
  const { files: labels } = callTexts.use();
  const { error: sentences } = useCommonTexts();
  return useCallback(
    (error) =>
      error instanceof ApiError && error.code === 'payload_too_large'
        ? labels.tooLarge
        : explain(error, sentences),
    [labels, sentences],
  );
}
