import { lastTransferNote, type TransferEntry } from './transfer-note.rules';

const transfer = (note: string | null): TransferEntry => ({ type: 'transferred', note });

describe('lastTransferNote', () => {
  it.each([
    ['the note of the last transfer', [transfer('A'), transfer('B')], 'B'],
    ['none of an earlier transfer', [transfer('A'), transfer(null)], null],
    ['no note of an offer', [{ type: 'offered', note: 'A' }], null],
    ['nothing without a transfer', [], null],
  ])('is %s', (_name, timeline, expected) => {
    expect(lastTransferNote(timeline)).toBe(expected);
  });
});
