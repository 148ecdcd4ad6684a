import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ByteRange,
  logStorageFailure,
  type Storage,
  ObjectNotFoundError,
  StorageUnavailableError,
} from './storage';

/** Keys are made by us; this is the last line of defence against one that was not. */
const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)+$/;

/** What comes while the disk is busy waits in at most 1 MiB of memory, and is then written at once. */
const WRITE_OPTIONS = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: 1024 * 1024 };

/** Objects as files below one folder. More than one instance needs a folder that they share. */
export class LocalStorage implements Storage {
  private readonly root: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  async write(key: string, content: Readable): Promise<void> {
    const path = this.pathOf(key);
    try {
      await this.writeFile(path, content);
    } catch (error) {
      // A storage that is full needs the room at once.
      await rm(partialPath(path), { force: true }).catch(() => {});
      throw new StorageUnavailableError(error);
    }
  }

  /** A file has its name once it is whole. All flushes are waited for: a record has to outlast a power cut. */
  private async writeFile(path: string, content: Readable): Promise<void> {
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(partialPath(path), WRITE_OPTIONS));
    await rename(partialPath(path), path);
    await flushFolder(folder);
    if (made !== undefined) await flushFoldersAbove(folder, dirname(made));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.pathOf(key);
    try {
      // Opened before anything is answered: a file that is not there is no download that broke off.
      return (await open(path)).createReadStream(range);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ObjectNotFoundError(key);
      logStorageFailure(error, 'An object could not be read');
      throw new StorageUnavailableError(error);
    }
  }

  /** Leaves empty folders: taking them away could get in the way of a write that has just made them. */
  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await rm(path, { force: true });
      await rm(partialPath(path), { force: true });
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('not a key of ours');
    return join(this.root, key);
  }
}

const partialPath = (path: string): string => `${path}.part`;

/** Makes new names in a folder durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A new folder is a name in the one above it, up to the first one that was there before. */
async function flushFoldersAbove(folder: string, top: string): Promise<void> {
  for (let above = folder; above !== top;) {
    above = dirname(above);
    await flushFolder(above);
  }
}
