import type { Answer } from '../http/api';

/** Records of RFC 4180, strictly: CRLF ends each of them, and quotes stand only around a field or doubled in one. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const { lastIndex } = field;
    const found = field.exec(text);
    if (!found)
      throw new Error(`No CSV at ${lastIndex}: ${JSON.stringify(text.slice(lastIndex, lastIndex + 80))}`);
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last record has no end.');
  return records;
}

/** The rows of a CSV answer by the names of its header. */
export function csvRows({ status, body }: Answer): Record<string, string>[] {
  if (status !== 200) throw new Error(`no CSV: ${status} ${JSON.stringify(body)}`);
  const [header = [], ...records] = parseCsv(body);
  return records.map((record) => {
    if (record.length !== header.length) throw new Error(`${record.length} fields: ${record.join()}`);
    return Object.fromEntries(header.map((name, index) => [name, record[index] ?? '']));
  });
}
