import type { components } from '../../../shared/api/client';
import { readError } from '../../../shared/api/read-error';
import type { StaffSession } from '../../state/staff-session';
import { saveFile } from '../save-file';

type CallFile = Pick<components['schemas']['UploadedFileDto'], 'url' | 'filename'>;

/**
 * Saves a file of a call on this computer. A link alone cannot, because the service wants the token. The browser holds the
 * file until it is saved, which the limit of uploads (MAX_UPLOAD_MB) keeps small. @throws ApiError
 */
export async function downloadFile(session: StaffSession, file: CallFile): Promise<void> {
  saveFile(file.filename, await loadFile(session, file));
}

/** The content of a file of a call. @throws ApiError */
export async function loadFile(session: StaffSession, { url }: CallFile): Promise<Blob> {
  const response = await session.send(new Request(new URL(url, location.href)));
  if (!response.ok)
    throw readError(await response.json().catch(() => null), response.status, response.headers);
  return response.blob();
}
