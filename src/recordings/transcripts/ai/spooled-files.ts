import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  STORAGE,
  type Storage,
  ObjectNotFoundError,
  StorageUnavailableError,
} from '../../../platform/storage/storage';
import { recordingFilename } from '../../recording-filename';
import { SpoolFolder } from './spool-folder';

/** Where a recording lies, and what it is. */
export interface StoredRecording {
  storage_key: string;
  content_type: string;
  /** ISO 8601 */
  inserted_at: string;
}

/** Gives out recordings as files, of which nothing is in memory: an upload wants to know its length and may begin late. */
@Injectable()
export class SpooledFiles {
  constructor(
    private readonly folder: SpoolFolder,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Has `use` work with a copy, which is gone afterwards.
   * @throws ObjectNotFoundError, StorageUnavailableError, also when there is no room for the copy
   */
  async with<T>(
    { storage_key, content_type, inserted_at }: StoredRecording,
    signal: AbortSignal,
    use: (file: File) => Promise<T>,
  ): Promise<T> {
    const folder = await this.folder.make().catch((error: unknown) => {
      throw new StorageUnavailableError(error);
    });
    try {
      const path = join(folder, 'recording');
      await this.copy(storage_key, path, signal);
      const content = await openAsBlob(path, { type: content_type });
      // Providers go by the ending.
      const name = recordingFilename(content_type, new Date(inserted_at));
      return await use(new File([content], name, { type: content_type }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async copy(key: string, path: string, signal: AbortSignal): Promise<void> {
    try {
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(await this.storage.read(key), file, { signal });
    } catch (error) {
      throw error instanceof ObjectNotFoundError ? error : new StorageUnavailableError(error);
    }
  }
}
