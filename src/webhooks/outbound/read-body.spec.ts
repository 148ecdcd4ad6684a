import { Readable } from 'node:stream';
import { decodeBody, readBeginning } from './outbound-request';

const body = (...parts: (string | number[])[]) =>
  Readable.from(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** A body of 5,000 bytes, and the numbers of its 5-byte chunks that were read. */
function longBody() {
  const chunks: number[] = [];
  const stream = Readable.from(
    (function* () {
      for (let chunk = 1; chunk <= 1000; chunk++) {
        chunks.push(chunk);
        yield Buffer.alloc(5, 'a');
      }
    })(),
    { highWaterMark: 1 },
  );
  return { stream, chunks };
}

describe('readBeginning, decoded', () => {
  it.each([
    ['an empty body', body(), ''],
    ['less than the limit', body('tak', 'en'), 'taken'],
    ['as much as the limit', body('0123456789'), '0123456789'],
    ['more than the limit', body('0123456', '789abc', 'def'), '0123456789'],
    ['a character in two chunks', body([0xc3], [0xa3], 'o'), 'ão'],
    ['a character across the limit', body('123456789ã'), '123456789'],
    ['four bytes across the limit', body('1234567😀'), '1234567'],
    ['bytes that are not UTF-8', body([0x61, 0xff, 0x62, 0xc3, 0x28]), 'a\ufffdb\ufffd('],
    ['a surrogate in UTF-8', body([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['NUL', body('a\0b'), 'ab'],
    ['a byte order mark', body('\ufeffa'), 'a'],
  ])('of %s', async (_what, stream, text) => {
    const beginning = decodeBody(await readBeginning(stream, 10));
    expect(beginning).toBe(text);
    expect(beginning.isWellFormed()).toBe(true);
  });

  it('leaves the rest unread', async () => {
    const { stream, chunks } = longBody();
    expect(decodeBody(await readBeginning(stream, 10))).toBe('aaaaaaaaaa');
    expect(stream.destroyed).toBe(true);
    expect(chunks.length).toBeLessThan(10);
  });
});
