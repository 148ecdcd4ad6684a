import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConsole } from '../../../state/console-context';
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

/** The uploads of this page that run or have failed. */
export function useUploads(callId: string) {
  const { session } = useConsole();
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (id: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const remove = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));
  const run = async (id: number, file: File) => {
    try {
      await uploadFile({ session, callId, file, onProgress: (share) => change(id, { share }) });
      await queries.invalidateQueries({ queryKey: filesKey(callId) });
      remove(id);
    } catch (error) {
      change(id, { error });
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
