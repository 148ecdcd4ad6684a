import { matchingReplies, replaceSlash, slashBefore } from './slash.rules';

describe('slashBefore', () => {
  it.each([
    ['/', 1, { start: 0, query: '' }],
    ['Hello /inv', 10, { start: 6, query: 'inv' }],
    ['Hello\n/ação', 11, { start: 6, query: 'ação' }],
    ['Hello /invoice', 10, { start: 6, query: 'inv' }],
    ['and/or', 6, null],
    ['https://example', 15, null],
    ['on 1/2', 6, null],
    ['/two words', 10, null],
    ['//', 2, null],
    ['', 0, null],
  ])('%j at %i', (text, caret, slash) => {
    expect(slashBefore(text, caret)).toEqual(slash);
  });
});

const reply = (title: string, shortcut: string | null = null, text = '') => ({ title, text, shortcut });

describe('matchingReplies', () => {
  const replies = [
    reply('Address', null, 'See the invoice.'),
    reply('Second invoice'),
    reply('Invoice', null),
    reply('Ínvoices of others', 'invoices'),
    reply('Bill', 'invoice'),
  ];

  it('are those with the query, shortcuts first and texts last', () => {
    expect(matchingReplies(replies, 'INVOICE').map(({ title }) => title)).toEqual([
      'Bill',
      'Ínvoices of others',
      'Invoice',
      'Second invoice',
      'Address',
    ]);
  });

  it('are the first ones without a query, at most eight', () => {
    expect(matchingReplies([...replies, ...replies], '')).toHaveLength(8);
    expect(matchingReplies(replies, 'nothing')).toEqual([]);
  });
});

it('replaceSlash takes the slash and the query away', () => {
  const inserted = replaceSlash('Hi /in you', { start: 3, query: 'in' }, 'New.');
  expect(inserted).toEqual({ text: 'Hi New. you', position: 7 });
});
