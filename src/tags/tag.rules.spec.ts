import { MAX_LEVELS, refusalOf } from './tag.rules';

const chain = (length: number) => Array.from({ length }, (_, n) => `above ${n}`);

describe('refusalOf', () => {
  it.each([
    ['a new tag below an old one', { above: ['a'], levels: 1 }],
    ['a tag that moves', { above: ['b', 'a'], tagId: 'c', levels: 3 }],
    ['the last level there is', { above: chain(MAX_LEVELS - 1), levels: 1 }],
    ['the last levels there are', { above: chain(MAX_LEVELS - 7), tagId: 'c', levels: 7 }],
  ])('has nothing against %s', (_what, place) => {
    expect(refusalOf(place)).toBeUndefined();
  });

  it.each([
    ['an unknown parent', { above: [], levels: 1 }, 'validation_failed'],
    ['a tag below itself', { above: ['c', 'a'], tagId: 'c', levels: 1 }, 'tag_cycle'],
    ['a tag below its grandchild', { above: ['e', 'd', 'c', 'a'], tagId: 'c', levels: 3 }, 'tag_cycle'],
    ['a top tag below its child', { above: ['d', 'c'], tagId: 'c', levels: 2 }, 'tag_cycle'],
    ['one level too many', { above: chain(MAX_LEVELS), levels: 1 }, 'validation_failed'],
    ['too deep a branch', { above: chain(MAX_LEVELS - 6), tagId: 'c', levels: 7 }, 'validation_failed'],
  ])('refuses %s', (_what, place, code) => {
    expect(refusalOf(place)).toMatchObject({ code, fields: { parent_id: [expect.any(String)] } });
  });
});
