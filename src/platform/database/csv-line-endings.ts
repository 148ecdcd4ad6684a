const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Ends the rows of PostgreSQL's CSV with CRLF (RFC 4180, 2.1) instead of LF, chunk by chunk as it comes. Line breaks
 * within quotes are part of a cell and stay as they are. A doubled quote closes its cell and opens it again, so telling
 * where one is takes no more than counting quotes.
 */
export class CsvRowEnds {
  private isQuoted = false;

  convert(chunk: Buffer): Buffer {
    const ends = this.rowEnds(chunk);
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

  /** Where rows end, found by leaps: looking at every byte would take several times as long. */
  private rowEnds(chunk: Buffer): number[] {
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
