import { readError } from '../../../../shared/api/read-error';
import type { components } from '../../../../shared/api/client';
import type { StaffSession } from '../../../state/staff-session';

export type CallFile = components['schemas']['CallFileDto'];

/** Saves a file on this computer. A link alone cannot, because the service wants the token. @throws ApiError */
export async function downloadFile(session: StaffSession, { url, filename }: CallFile): Promise<void> {
  const response = await session.send(new Request(new URL(url, location.href)));
  if (!response.ok)
    throw readError(await response.json().catch(() => null), response.status, response.headers);
  const href = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href, download: filename }).click();
  // The browser has taken the content over by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
