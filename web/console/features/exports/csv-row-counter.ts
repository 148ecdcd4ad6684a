const QUOTE = 34;
const NEWLINE = 10;

/** Counts the rows of a CSV file that comes in pieces: line breaks within quotes are no new rows. */
export class CsvRowCounter {
  private lines = 0;
  private isQuoted = false;

  /** Without the header. */
  get rows(): number {
    return Math.max(0, this.lines - 1);
  }

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // An escaped quote is two of them: it ends and begins the quoted text.
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      else if (byte === NEWLINE && !this.isQuoted) this.lines++;
    }
  }
}
