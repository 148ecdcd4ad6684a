import { receiptIn } from './receipt-text';

it.each([
  ['the receipt alone', 'a.b.c', 'a.b.c'],
  ['with a line break', 'a.b.c\n', 'a.b.c'],
  ['what the console saves', '{"customer_id":"1","receipt":"a.b.c"}', 'a.b.c'],
  ['what the API answers', '{ "data": { "receipt": "a.b.c" } }\n', 'a.b.c'],
  ['a pending receipt', '{"receipt":null,"state":"pending"}', undefined],
  ['another document', '{"data":{}}', undefined],
  ['broken JSON', '{"receipt":"a.b.c"', undefined],
  ['an empty file', '\n', undefined],
])('%s', (_what, content, receipt) => {
  expect(receiptIn(content)).toBe(receipt);
});
