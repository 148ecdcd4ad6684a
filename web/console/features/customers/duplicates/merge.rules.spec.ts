import { foreseeMerge } from './merge.rules';

const details = (given: object = {}) => ({ email: null, phone: null, document: null, notes: null, ...given });

describe('foreseeMerge', () => {
  it.each([
    ['nothing to take over', details({ email: 'a@x' }), [details({ email: 'a@x' })], [], []],
    [
      'an empty field is filled by the first that has it, and the next is lost',
      details(),
      [details(), details({ phone: '1' }), details({ phone: '2' })],
      [{ field: 'phone', value: '1' }],
      [{ field: 'phone', value: '2' }],
    ],
    [
      'another value is lost, and told once',
      details({ notes: 'one' }),
      [details({ notes: 'two' }), details({ notes: 'two' })],
      [],
      [{ field: 'notes', value: 'two' }],
    ],
  ])('%s', (_, survivor, duplicates, filled, lost) => {
    expect(foreseeMerge(survivor, duplicates)).toEqual({ filled, lost });
  });
});
