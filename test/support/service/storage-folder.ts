import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const JOURNAL = 'erasures/';

/** A folder that a spec uses as the storage and inspects. */
export class StorageFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-files-'));

  /** The variable that selects this folder as the storage. */
  get env(): { STORAGE_URL: string } {
    return { STORAGE_URL: pathToFileURL(this.path).toString() };
  }

  /** The relative paths of all files, including partial ones, but without the journal of erasures. */
  files(): string[] {
    return this.all().filter((path) => !path.startsWith(JOURNAL));
  }

  /** The relative paths of the entries of the journal of erasures. */
  journal(): string[] {
    return this.all().filter((path) => path.startsWith(JOURNAL));
  }

  private all(): string[] {
    return readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .sort();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
