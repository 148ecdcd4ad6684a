import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, type Storage, StorageMissing, StorageUnavailable } from './storage';

/** Keys are made by us; this is the last line of defence against one that was not. */
const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)+$/;

/** Objects as files below one folder. More than one instance needs a folder that they share. */
export class LocalStorage implements Storage {
  private readonly root: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  async write(key: string, content: Readable): Promise<void> {
    const path = this.pathOf(key);
    await asStorage(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Both flushes are waited for: what a record speaks of has to outlast a power cut.
      const file = createWriteStream(partial(path), { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(content, file);
      await rename(partial(path), path);
      await flushFolder(dirname(path));
    });
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    return asStorage(async () => {
      // Opened before anything is answered: a file that is not there is no download that broke off.
      const file = await open(this.pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new StorageMissing(key) : error;
      });
      return file.createReadStream(range);
    });
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    await asStorage(async () => {
      await rm(path, { force: true });
      await rm(partial(path), { force: true });
    });
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('not a key of ours');
    return join(this.root, key);
  }
}

const partial = (path: string): string => `${path}.part`;

/** Makes a rename durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageMissing ? error : new StorageUnavailable(error);
  }
}
