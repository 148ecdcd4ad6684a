import { lastTransferNote, type TransferEntry } from './transfer-note.rules';

const transfer = (user_name: string | null, note: string | null): TransferEntry => ({
  type: 'transferred',
  user_name,
  note,
});

describe('lastTransferNote', () => {
  it.each([
    [
      'the note of the last transfer',
      [transfer('Ana', 'A'), transfer('Bia', 'B')],
      { text: 'B', name: 'Bia' },
    ],
    ['none of an earlier transfer', [transfer('Ana', 'A'), transfer('Bia', null)], null],
    ['no note of an offer', [{ type: 'offered', user_name: 'Ana', note: 'A' }], null],
    ['nothing without a transfer', [], null],
  ])('is %s', (_name, timeline, expected) => {
    expect(lastTransferNote(timeline)).toEqual(expected);
  });
});
