const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Converts the LF that ends each row of PostgreSQL's CSV to CRLF (RFC 4180, 2.1), chunk by chunk. Line breaks within
 * quotes belong to a cell and are not changed. Counting quotes is enough to recognise them: an escaped quote is
 * doubled, so it closes and reopens its cell.
 */
export class CsvLineEndings {
  private isQuoted = false;

  convert(chunk: Buffer): Buffer {
    const ends = this.findRowEnds(chunk);
    const converted = Buffer.allocUnsafe(chunk.length + ends.length);
    let from = 0;
    let added = 0;
    for (const end of ends) {
      chunk.copy(converted, from + added, from, end);
      converted[end + added++] = CR;
      from = end;
    }
    chunk.copy(converted, from + added, from);
    return converted;
  }

  /** The offsets of the LFs that end rows. Searching with indexOf is several times as fast as a loop over bytes. */
  private findRowEnds(chunk: Buffer): number[] {
    const ends: number[] = [];
    let end = chunk.indexOf(LF);
    for (let from = 0; from < chunk.length;) {
      const quote = chunk.indexOf(QUOTE, from);
      const to = quote === -1 ? chunk.length : quote;
      if (!this.isQuoted) {
        if (end !== -1 && end < from) end = chunk.indexOf(LF, from);
        for (; end !== -1 && end < to; end = chunk.indexOf(LF, end + 1)) ends.push(end);
      }
      if (quote !== -1) this.isQuoted = !this.isQuoted;
      from = to + 1;
    }
    return ends;
  }
}
