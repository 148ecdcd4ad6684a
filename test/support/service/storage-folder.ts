import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A folder of a spec's own as the storage, to look into. */
export class StorageFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'video-queue-files-'));

  /** The variable that makes an application use it. */
  get env(): { STORAGE_URL: string } {
    return { STORAGE_URL: pathToFileURL(this.path).toString() };
  }

  /** All files in it, those that are only begun included, by their paths within. */
  files(): string[] {
    return readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .sort();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
