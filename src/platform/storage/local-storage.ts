import { createWriteStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ByteRange,
  type ListedObject,
  logStorageFailure,
  ObjectNotFoundError,
  type Storage,
  STORAGE_KEY,
  StorageUnavailableError,
} from './storage';

/** Up to 1 MiB is buffered while the disk is busy, and then written at once. */
const WRITE_OPTIONS = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: 1024 * 1024 };

/** Stores objects as files in one folder, which all instances must share. */
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
      // Frees the space at once, since the disk may be full.
      await rm(partialPath(path), { force: true }).catch(() => {});
      throw new StorageUnavailableError(error);
    }
  }

  /**
   * Renames the file when it is complete. File and folders are flushed, so that it survives a power failure.
   */
  private async writeFile(path: string, content: Readable): Promise<void> {
    const folder = dirname(path);
    const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(partialPath(path), WRITE_OPTIONS));
    await rename(partialPath(path), path);
    await flushFolder(folder);
    if (firstCreated !== undefined) await flushParents(folder, dirname(firstCreated));
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const path = this.pathOf(key);
    try {
      // Opened before the response starts, so that a missing file is a 404 and not an aborted download.
      return (await open(path)).createReadStream(range);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new ObjectNotFoundError(key);
      logStorageFailure(error, 'An object could not be read');
      throw new StorageUnavailableError(error);
    }
  }

  /** Keeps empty folders: removing one could break a write that has just created it. */
  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await rm(path, { force: true });
      await rm(partialPath(path), { force: true });
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    try {
      yield* listFolder(this.root, prefix);
    } catch (error) {
      throw new StorageUnavailableError(error);
    }
  }

  private pathOf(key: string): string {
    if (!STORAGE_KEY.test(key)) throw new Error('Invalid storage key');
    return join(this.root, key);
  }
}

const partialPath = (path: string): string => `${path}${PARTIAL_SUFFIX}`;

/** Makes new entries of a folder durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Flushes the parents of a new folder up to `top`, the first one that existed before. */
async function flushParents(folder: string, top: string): Promise<void> {
  for (let parent = folder; parent !== top;) {
    parent = dirname(parent);
    await flushFolder(parent);
  }
}

/** Ends the name of a file that is not complete yet. */
export const PARTIAL_SUFFIX = '.part';

/** A part of a key between two slashes. */
const SEGMENT = /^[a-z0-9-]+$/;

interface Entry {
  /** The name of the file. */
  fileName: string;
  /** Of a folder, with a slash; of a partial file, that of its object. */
  name: string;
  isFolder: boolean;
}

/**
 * Lists the objects in the folder `root` whose keys begin with `prefix`, in the order of their bytes, with partial ones.
 * @param parent the beginning of the keys to list: empty, or with a final slash
 */
export async function* listFolder(root: string, prefix: string, parent = ''): AsyncGenerator<ListedObject> {
  for (const { fileName, name, isFolder } of await readEntries(join(root, parent))) {
    const key = parent + name;
    if (isFolder) {
      if (key.startsWith(prefix) || prefix.startsWith(key)) yield* listFolder(root, prefix, key);
    } else if (key.startsWith(prefix) && STORAGE_KEY.test(key)) {
      // Undefined if the file has been deleted or renamed since its folder was read.
      const stats = await ignoreMissing(stat(join(root, parent, fileName)));
      if (stats) yield { key, size: stats.size, modified_at: stats.mtime, is_partial: fileName !== name };
    }
  }
}

/** @returns the files and those folders that can belong to keys; none if the folder does not exist */
async function readEntries(path: string): Promise<Entry[]> {
  const found = (await ignoreMissing(readdir(path, { withFileTypes: true }))) ?? [];
  return found
    .filter((entry) => entry.isFile() || (entry.isDirectory() && SEGMENT.test(entry.name)))
    .map(toEntry)
    .sort(byName);
}

/** A folder sorts by its name with the slash, as all keys in it do. */
function toEntry(found: Dirent): Entry {
  const isFolder = found.isDirectory();
  const name = isFolder ? `${found.name}/` : withoutSuffix(found.name);
  return { fileName: found.name, name, isFolder };
}

const withoutSuffix = (name: string): string =>
  name.endsWith(PARTIAL_SUFFIX) ? name.slice(0, -PARTIAL_SUFFIX.length) : name;

const byName = (one: Entry, next: Entry): number =>
  one.name < next.name ? -1 : Number(one.name > next.name);

async function ignoreMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
