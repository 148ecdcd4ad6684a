/** Where a download is written to. */
export interface FileSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
  /** Leaves no half file. */
  abort(): Promise<void>;
}

interface WithSavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { accept: Record<string, string[]> }[];
  }) => Promise<{ createWritable(): Promise<FileSink> }>;
}

/** Pieces are gathered up to this size: browsers keep large blobs on the disk, but not small pieces. */
const BLOB_BYTES = 4 * 1024 * 1024;

/**
 * Asks where to save the file, if the browser can write it piece by piece; otherwise it becomes a normal download.
 * Must be called by a click.
 * @throws AbortError if the person has chosen no file
 */
export async function openFile(name: string): Promise<FileSink> {
  const { showSaveFilePicker } = window as WithSavePicker;
  if (!showSaveFilePicker) return new BlobSink(name);
  const file = await showSaveFilePicker.call(window, {
    suggestedName: name,
    types: [{ accept: { 'text/csv': ['.csv'] } }],
  });
  return file.createWritable();
}

/** Keeps the file in the browser until it is complete. */
class BlobSink implements FileSink {
  private blobs: Blob[] = [];
  private pieces: Uint8Array<ArrayBuffer>[] = [];
  private size = 0;

  constructor(private readonly name: string) {}

  write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.pieces.push(bytes);
    this.size += bytes.length;
    if (this.size >= BLOB_BYTES) this.gather();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.gather();
    const url = URL.createObjectURL(new Blob(this.blobs, { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = this.name;
    link.click();
    // The browser has begun to read it by then.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return this.abort();
  }

  abort(): Promise<void> {
    this.blobs = [];
    this.pieces = [];
    return Promise.resolve();
  }

  private gather(): void {
    this.blobs.push(new Blob(this.pieces));
    this.pieces = [];
    this.size = 0;
  }
}
