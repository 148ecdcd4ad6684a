import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Storage, StorageMissing, StorageUnavailable } from '../../platform/storage/storage';
import { recordingFilename } from '../recording-filename';

/** Where a recording lies, and what it is. */
export interface StoredRecording {
  recording_id: string;
  storage_key: string;
  content_type: string;
  /** ISO 8601 */
  inserted_at: string;
}

/**
 * Has `use` work with a recording as a file, of which nothing is in memory: an upload wants to know its length and
 * may begin late. The copy in the system's temporary folder is gone afterwards; one that a killed process left
 * behind goes with the next try.
 * @throws StorageMissing, StorageUnavailable, also when it is the temporary folder that is full
 */
export async function withSpooledFile<T>(
  storage: Storage,
  { recording_id, storage_key, content_type, inserted_at }: StoredRecording,
  signal: AbortSignal,
  use: (file: File) => Promise<T>,
): Promise<T> {
  // Providers go by the ending.
  const name = recordingFilename(content_type, new Date(inserted_at));
  const path = join(tmpdir(), `video-queue-${recording_id}`);
  try {
    await spool(storage, storage_key, path, signal);
    const content = await openAsBlob(path, { type: content_type });
    return await use(new File([content], name, { type: content_type }));
  } finally {
    await rm(path, { force: true });
  }
}

async function spool(storage: Storage, key: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    // Removed first and then made, never opened: nobody else's file is written to, nor read.
    await rm(path, { force: true });
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(await storage.read(key), file, { signal });
  } catch (error) {
    throw error instanceof StorageMissing ? error : new StorageUnavailable(error);
  }
}
