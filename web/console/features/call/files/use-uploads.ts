import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useConsole } from '../../../state/console-context';
import { callTexts } from '../texts/texts';
import { useUploadProblem } from './use-upload-problem';
import { uploadFile } from './upload-file';

export interface Upload {
  id: number;
  file: File;
  /** 0 to 1. */
  share: number;
  error: unknown;
}

export const filesKey = (callId: string) => ['call-files', callId];

let lastId = 0;

/** The uploads of this panel that run or have failed. If one fails after the panel has gone, a notification says so. */
export function useUploads(callId: string) {
  const { files: labels } = callTexts.use();
  const problemOf = useUploadProblem();
  const { session } = useConsole();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const change = (id: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const remove = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));
  const run = async (id: number, file: File) => {
    try {
      await uploadFile({ session, callId, file, onProgress: (share) => change(id, { share }) });
      await queries.invalidateQueries({ queryKey: filesKey(callId) });
      remove(id);
    } catch (error) {
      if (isShown.current) return change(id, { error });
      const message = labels.notUploaded(file.name, problemOf(error));
      notifications.show({ color: 'red', message, role: 'alert', autoClose: false });
    }
  };
  const start = (files: readonly File[]) => {
    for (const file of files) {
      const id = ++lastId;
      setUploads((all) => [...all, { id, file, share: 0, error: null }]);
      void run(id, file);
    }
  };
  const retry = ({ id, file }: Upload) => {
    change(id, { share: 0, error: null });
    void run(id, file);
  };
  return { uploads, start, retry, remove };
}
