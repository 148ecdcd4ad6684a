import { choiceOf, valueOf } from './presence-choice';

describe('a chosen presence', () => {
  it.each([
    ['online', null],
    ['away', 'lunch'],
    ['away', 'Training: new staff'],
    ['away', ''],
  ])('is %s with the reason %j', (presence, reason) => {
    expect(choiceOf(valueOf({ presence, reason }))).toEqual({ presence, reason });
  });
});
