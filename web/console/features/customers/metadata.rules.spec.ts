import { fromPairs, nameProblems, toPairs } from './metadata.rules';

describe('metadata', () => {
  const stored = { crm_id: '4711', visits: 3, tags: ['a', 'b'] };

  it('is shown as text', () => {
    expect(toPairs(stored)).toEqual([
      { name: 'crm_id', value: '4711' },
      { name: 'visits', value: '3' },
      { name: 'tags', value: '["a","b"]' },
    ]);
  });

  it('keeps numbers and lists that were not changed', () => {
    expect(fromPairs(toPairs(stored), stored)).toEqual(stored);
  });

  it.each([
    ['a changed number', [{ name: 'visits', value: '4' }], { visits: '4' }],
    ['an empty row', [{ name: ' ', value: '' }], {}],
    ['spaces around the name', [{ name: ' city ', value: 'Recife' }], { city: 'Recife' }],
  ])('%s', (_, pairs, metadata) => {
    expect(fromPairs(pairs, stored)).toEqual(metadata);
  });

  it.each([
    ['nothing', [{ name: 'a', value: '1' }], [null]],
    ['an empty row', [{ name: '', value: '' }], [null]],
    ['a value without a name', [{ name: '', value: '1' }], ['missing']],
    [
      'a name twice',
      [
        { name: 'a', value: '1' },
        { name: 'a ', value: '2' },
      ],
      [null, 'repeated'],
    ],
  ])('%s is told', (_, pairs, problems) => {
    expect(nameProblems(pairs)).toEqual(problems);
  });
});
