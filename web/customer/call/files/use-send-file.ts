import { useState } from 'preact/hooks';
import { useApp } from '../../app/app-context';
import { ApiError } from '../../../shared/api/api-error';
import { callOf } from '../../state/call-facts';
import { shrinkPicture } from '../../../shared/shrink-picture';

export const ACCEPTED = 'image/*,application/pdf';
const PDF = 'application/pdf';
/** Larger than what is read on a photo of a document, and about 1 MB. */
const PHOTO = { maxSide: 2048, type: 'image/jpeg' } as const;
const MAX_BYTES = 10 * 1024 * 1024;

/** Why a file was not sent. */
export type FileProblem = 'type' | 'size' | 'tooMany' | 'noSpace' | 'failed';

/** A file that was not sent. */
export interface UnsentFile {
  name: string;
  problem: FileProblem;
}

/** Sends files in the chat, one after the other, also after one that cannot be sent. The message comes by the socket. */
export function useSendFile() {
  const { api, store } = useApp();
  const [sending, setSending] = useState<string | null>(null);
  const [unsent, setUnsent] = useState<readonly UnsentFile[]>([]);
  const sendOne = async (chosen: File): Promise<FileProblem | null> => {
    const callId = callOf(store.state.peek())?.id ?? '';
    try {
      const file = chosen.type === PDF ? chosen : await shrinkPicture(chosen, PHOTO);
      if (file.size > MAX_BYTES) return 'size';
      await api.sendFile(callId, file);
      return null;
    } catch (error) {
      return problemOf(error);
    }
  };
  const send = async (files: readonly File[]) => {
    setUnsent([]);
    for (const file of files) {
      setSending(file.name);
      const problem = await sendOne(file);
      if (problem) setUnsent((earlier) => [...earlier, { name: file.name, problem }]);
    }
    setSending(null);
  };
  return { sending, unsent, send };
}

function problemOf(error: unknown): FileProblem {
  if (!(error instanceof ApiError)) return 'type';
  if (error.code === 'too_many_files') return 'tooMany';
  if (error.code === 'plan_limit') return 'noSpace';
  if (error.status === 413) return 'size';
  return error.code === 'validation_failed' ? 'type' : 'failed';
}
