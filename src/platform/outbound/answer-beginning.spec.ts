import { Readable } from 'node:stream';
import { answerBeginning } from './answer-beginning';

const answer = (...parts: (string | number[])[]) =>
  Readable.from(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('the beginning of an answer', () => {
  it.each([
    ['nothing', answer(), ''],
    ['less than there may be', answer('tak', 'en'), 'taken'],
    ['as much as there may be', answer('0123456789'), '0123456789'],
    ['more than there may be', answer('0123456', '789abc', 'def'), '0123456789'],
    ['a character in two pieces', answer([0xc3], [0xa3], 'o'), 'ão'],
    ['a character across the end', answer('123456789ã'), '123456789'],
    ['four bytes across the end', answer('1234567😀'), '1234567'],
    ['bytes that are no UTF-8', answer([0x61, 0xff, 0x62, 0xc3, 0x28]), 'a\ufffdb\ufffd('],
    ['a surrogate in UTF-8', answer([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['NUL', answer('a\0b'), 'ab'],
    ['a byte order mark', answer('\ufeffa'), 'a'],
  ])('of %s', async (_what, stream, text) => {
    const beginning = await answerBeginning(stream, 10);
    expect(beginning).toBe(text);
    expect(beginning.isWellFormed()).toBe(true);
  });

  it('leaves the rest unread', async () => {
    const pieces: number[] = [];
    const stream = Readable.from(
      (function* () {
        for (let piece = 1; piece <= 1000; piece++) {
          pieces.push(piece);
          yield Buffer.alloc(5, 'a');
        }
      })(),
      { highWaterMark: 1 },
    );
    expect(await answerBeginning(stream, 10)).toBe('aaaaaaaaaa');
    expect(stream.destroyed).toBe(true);
    expect(pieces.length).toBeLessThan(10);
  });
});
