import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useConsole } from '../../../state/console-context';
import type { CallUpload } from '../../../state/uploads/call-uploads';
import { useSignalValue } from '../../../ui/use-signal-value';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';

export const filesKey = (callId: string) => ['call-files', callId];

/** The uploads to a call. If one fails while the panel is not shown, a notification says so. */
export function useUploads(callId: string) {
  const { files: labels } = callTexts.use();
  const problemOf = useUploadProblem();
  const { callUploads } = useConsole();
  const queries = useQueryClient();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const onChange = () => queries.invalidateQueries({ queryKey: filesKey(callId) });
  const onFailure = ({ file, error }: CallUpload) => {
    if (isShown.current) return;
    const message = labels.notUploaded(file.name, problemOf(error));
    notifications.show({ color: 'red', message, role: 'alert', autoClose: false });
  };
  const listeners = { onChange, onFailure };
  return {
    uploads: useSignalValue(callUploads.all).filter(({ call_id }) => call_id === callId),
    start: (files: readonly File[]) => callUploads.add(callId, files, listeners),
    retry: (upload: CallUpload) => callUploads.retry(upload, listeners),
    cancel: (id: string) => callUploads.cancel(id),
  };
}
