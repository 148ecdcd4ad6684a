/** What one page load recorded of a call. */
export interface PartKey {
  user_id: string;
  call_id: string;
  /** When it began, in milliseconds since 1970: parts of a call are joined in this order. */
  started_at: number;
  /** Without the codecs. */
  type: string;
}

/** A part that grows while it is recorded. */
export interface RecordingPart {
  readonly key: PartKey;
  /** Whether a reload loses nothing of it but the last chunk. */
  readonly isOnDisk: boolean;
  append(chunk: Blob): Promise<void>;
  content(): Promise<Blob>;
  /** @returns the address of the upload that was begun for it, also by an earlier page load; null without one */
  uploadLocation(): Promise<string | null>;
  keepUploadLocation(location: string): Promise<void>;
  remove(): Promise<void>;
}

const FOLDER = 'recordings';
/** Beside the chunks of a part. */
const LOCATION_FILE = 'upload-location';

/**
 * Opens a part in the origin private file system. Without one, for example in a private window, it is in memory.
 * Each chunk is a file of its own: a file is stored only when it is closed, and a reload loses an open one.
 */
export async function openPart(key: PartKey): Promise<RecordingPart> {
  try {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
    const part = new DiskPart(key, root);
    await part.create();
    return part;
  } catch {
    return new MemoryPart(key);
  }
}

/** @returns the parts of this user that earlier page loads left, oldest first */
export async function leftoverParts(userId: string): Promise<RecordingPart[]> {
  try {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
    const keys: PartKey[] = [];
    for await (const name of root.keys()) {
      const key = keyOf(name);
      if (key?.user_id === userId) keys.push(key);
    }
    return keys.sort((a, b) => a.started_at - b.started_at).map((key) => new DiskPart(key, root));
  } catch {
    return [];
  }
}

/** The name of the part's folder, and of the lock that its writer or its upload holds. */
export const nameOf = ({ user_id, call_id, started_at, type }: PartKey): string =>
  [user_id, call_id, started_at, type.replace('/', '-')].join('_');

/** @returns undefined unless it is the name of a part */
export function keyOf(name: string): PartKey | undefined {
  const [user_id, call_id, startedAt, type] = name.split('_');
  if (!user_id || !call_id || !type || !Number.isSafeInteger(Number(startedAt))) return undefined;
  return { user_id, call_id, started_at: Number(startedAt), type: type.replace('-', '/') };
}

class DiskPart implements RecordingPart {
  readonly isOnDisk = true;
  private chunkCount = 0;

  constructor(
    readonly key: PartKey,
    private readonly root: FileSystemDirectoryHandle,
  ) {}

  /** Also shows whether this browser can write files here. */
  async create(): Promise<void> {
    await this.root.getDirectoryHandle(nameOf(this.key), { create: true });
    await this.append(new Blob());
  }

  async append(chunk: Blob): Promise<void> {
    await this.write(String(this.chunkCount++).padStart(8, '0'), chunk);
  }

  async content(): Promise<Blob> {
    const folder = await this.root.getDirectoryHandle(nameOf(this.key));
    const names: string[] = [];
    // A file that was open when the page was reloaded has a temporary name or is empty.
    for await (const name of folder.keys()) if (/^\d{8}$/.test(name)) names.push(name);
    const files = names.sort().map(async (name) => (await folder.getFileHandle(name)).getFile());
    return new Blob(await Promise.all(files), { type: this.key.type });
  }

  async uploadLocation(): Promise<string | null> {
    const folder = await this.root.getDirectoryHandle(nameOf(this.key));
    const file = await folder.getFileHandle(LOCATION_FILE).catch(() => null);
    return (await (await file?.getFile())?.text()) || null;
  }

  keepUploadLocation(location: string): Promise<void> {
    return this.write(LOCATION_FILE, location);
  }

  remove(): Promise<void> {
    return this.root.removeEntry(nameOf(this.key), { recursive: true });
  }

  private async write(name: string, content: Blob | string): Promise<void> {
    const folder = await this.root.getDirectoryHandle(nameOf(this.key));
    const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await file.write(content);
    await file.close();
  }
}

class MemoryPart implements RecordingPart {
  readonly isOnDisk = false;
  private chunks: Blob[] = [];
  private location: string | null = null;

  constructor(readonly key: PartKey) {}

  async append(chunk: Blob): Promise<void> {
    this.chunks.push(chunk);
  }

  async content(): Promise<Blob> {
    return new Blob(this.chunks, { type: this.key.type });
  }

  async uploadLocation(): Promise<string | null> {
    return this.location;
  }

  async keepUploadLocation(location: string): Promise<void> {
    this.location = location;
  }

  async remove(): Promise<void> {
    this.chunks = [];
  }
}
