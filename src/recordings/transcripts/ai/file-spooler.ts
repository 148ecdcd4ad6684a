import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  ObjectNotFoundError,
  STORAGE,
  StorageUnavailableError,
  type Storage,
} from '../../../platform/storage/storage';
import { SpoolFolder } from '../../spool-folder';

/** A stored object to copy. */
export interface SpoolSource {
  storage_key: string;
  content_type: string;
  /** Servers derive the format from its extension. */
  filename: string;
}

/**
 * Copies stored objects to disk for an upload: its length must be known before it starts, it may start late, and a
 * recording is too large for memory.
 */
@Injectable()
export class FileSpooler {
  constructor(
    private readonly folder: SpoolFolder,
    @Inject(STORAGE) private readonly storage: Storage,
  ) {}

  /**
   * Calls `use` with a copy of the object, and removes the copy afterwards.
   * @throws ObjectNotFoundError, StorageUnavailableError (also if the copy cannot be written), and what `use` throws
   */
  async withCopy<T>(
    { storage_key, content_type, filename }: SpoolSource,
    signal: AbortSignal,
    use: (file: File) => Promise<T>,
  ): Promise<T> {
    const folder = await this.folder.createFolder().catch((error: unknown) => {
      throw new StorageUnavailableError(error);
    });
    try {
      const path = join(folder, 'recording');
      await this.copy(storage_key, path, signal);
      const content = await openAsBlob(path, { type: content_type });
      return await use(new File([content], filename, { type: content_type }));
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
