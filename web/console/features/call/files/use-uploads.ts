import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { TaskLimit } from '../../../../shared/task-limit';
import { useConsole } from '../../../state/console-context';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';
import { uploadFile } from './upload-file';

export interface Upload {
  /** Also its Idempotency-Key. */
  id: string;
  file: File;
  /** 0 to 1. */
  share: number;
  /** Why the last attempt failed. */
  error: unknown;
  /** Whether it failed for good, so that only the user can begin it again. */
  hasEnded: boolean;
}

export const filesKey = (callId: string) => ['call-files', callId];

/** Few at a time: the service refuses more than 20 unfinished uploads of one user. */
const limit = new TaskLimit(3);

/**
 * The uploads of this panel that wait, run or have failed. Without a network they are repeated, as long as the panel shows it;
 * if one fails after the panel has gone, a notification says so.
 */
export function useUploads(callId: string) {
  const { files: labels } = callTexts.use();
  const problemOf = useUploadProblem();
  const { session } = useConsole();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const cancels = useRef(new Map<string, AbortController>());
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const change = (id: string, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const remove = (id: string) => setUploads((all) => all.filter((one) => one.id !== id));
  const upload = (id: string, file: File, { signal }: AbortController) =>
    uploadFile({
      session,
      callId,
      file,
      key: id,
      signal,
      onProgress: (share) => change(id, { share, error: null }),
      onRetry: (problem) => {
        if (!isShown.current) throw problem;
        change(id, { share: 0, error: problem });
      },
    });
  const run = async (id: string, file: File) => {
    const cancel = new AbortController();
    cancels.current.set(id, cancel);
    try {
      await limit.run(() => upload(id, file, cancel));
      await queries.invalidateQueries({ queryKey: filesKey(callId) });
      remove(id);
    } catch (error) {
      if (cancel.signal.aborted) return;
      if (isShown.current) return change(id, { error, hasEnded: true });
      const message = labels.notUploaded(file.name, problemOf(error));
      notifications.show({ color: 'red', message, role: 'alert', autoClose: false });
    } finally {
      cancels.current.delete(id);
    }
  };
  const start = (files: readonly File[]) => {
    for (const file of files) {
      const id = crypto.randomUUID();
      setUploads((all) => [...all, { id, file, share: 0, error: null, hasEnded: false }]);
      void run(id, file);
    }
  };
  const retry = ({ id, file }: Upload) => {
    change(id, { share: 0, error: null, hasEnded: false });
    void run(id, file);
  };
  const cancel = (id: string) => {
    cancels.current.get(id)?.abort();
    remove(id);
  };
  return { uploads, start, retry, cancel };
}
