import fc from 'fast-check';
import { CsvLineEndings } from './csv-line-endings';

/** Converts `text` in chunks of `size` bytes. */
function convert(text: string, size: number): string {
  const lineEndings = new CsvLineEndings();
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size) {
    chunks.push(lineEndings.convert(bytes.subarray(from, from + size)));
  }
  return Buffer.concat(chunks).toString();
}

/** The same conversion, as simple as possible: one character at a time. */
function reference(text: string): string {
  let isQuoted = false;
  let converted = '';
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    converted += character === '\n' && !isQuoted ? '\r\n' : character;
  }
  return converted;
}

describe('CsvLineEndings', () => {
  it.each([
    ['an empty text', '', ''],
    ['rows', 'id,name\n1,Ana\n2,Bia\n', 'id,name\r\n1,Ana\r\n2,Bia\r\n'],
    ['empty rows', '\n\n', '\r\n\r\n'],
    ['line breaks in a cell', '1,"a\nb\r\nc"\n', '1,"a\nb\r\nc"\r\n'],
    ['quotes in a cell', '1,"a ""b"", \n c"\n', '1,"a ""b"", \n c"\r\n'],
    ['a cell that is a single quote', '""""\n"\n"\n', '""""\r\n"\n"\r\n'],
    ['an empty cell in quotes', '1,""\n2,""\n', '1,""\r\n2,""\r\n'],
    ['unicode', '1,João 😀\n', '1,João 😀\r\n'],
  ])('converts %s, at any chunk size', (_name, text, converted) => {
    for (let size = 1; size <= text.length + 1; size++) expect(convert(text, size)).toBe(converted);
  });

  it('equals the conversion of one character at a time', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', 'ã'), maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(convert(text, size)).toBe(reference(text));
      }),
    );
  });
});
