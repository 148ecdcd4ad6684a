import type { Answer } from '../http/api';

/** Parses CSV strictly by RFC 4180: CRLF ends each record, and quotes only enclose a field or are doubled in one. */
export function parseCsv(text: string, separator: ',' | ';' = ','): string[][] {
  const records: string[][] = [];
  const field = new RegExp(String.raw`(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r\n)`, 'y');
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const { lastIndex } = field;
    const found = field.exec(text);
    if (!found)
      throw new Error(
        `Invalid CSV at ${lastIndex}: ${JSON.stringify(text.slice(lastIndex, lastIndex + 80))}`,
      );
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === separator) continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last record does not end with CRLF.');
  return records;
}

/** The rows of a CSV response as objects with the names of its header. */
export function csvRows({ status, body }: Answer): Record<string, string>[] {
  if (status !== 200) throw new Error(`not a CSV response: ${status} ${JSON.stringify(body)}`);
  const [header = [], ...records] = parseCsv(body);
  return records.map((record) => {
    if (record.length !== header.length) throw new Error(`${record.length} fields: ${record.join()}`);
    return Object.fromEntries(header.map((name, index) => [name, record[index] ?? '']));
  });
}
