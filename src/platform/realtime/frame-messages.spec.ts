import fc from 'fast-check';
import * as ws from 'ws';
import { textFrame } from './frame-messages';

/** Its types do not declare it. */
const { Sender } = ws as unknown as {
  Sender: { frame(data: Buffer, options: object): (Buffer | string)[] };
};

describe('textFrame', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.integer({ min: 120, max: 4097 }).map((length) => 'x'.repeat(length)),
  );

  it('returns the same bytes as ws', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const options = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: false };
        const frame = Sender.frame(Buffer.from(text), options).map((part) => Buffer.from(part as Buffer));
        expect(textFrame(text)).toEqual(Buffer.concat(frame));
      }),
    );
  });
});
