import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListedObject, STORAGE_KEY } from './storage';

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
