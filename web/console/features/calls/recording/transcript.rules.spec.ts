import { missingOf, turnsOf } from './transcript.rules';

describe('turnsOf', () => {
  it.each([
    ['', []],
    [
      'A: Good morning.\nB: Hello: my card.',
      [
        { speaker: 'A', text: 'Good morning.' },
        { speaker: 'B', text: 'Hello: my card.' },
      ],
    ],
    ['Somebody speaks.\n\n', [{ speaker: null, text: 'Somebody speaks.' }]],
  ])('of %j', (transcript, turns) => {
    expect(turnsOf(transcript)).toEqual(turns);
  });
});

it.each([
  ['feature_not_in_plan', 'noPlan'],
  ['not_ready', 'pending'],
  ['network', undefined],
])('%s means %s', (code, missing) => {
  expect(missingOf(code)).toBe(missing);
});
