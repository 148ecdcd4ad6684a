import { MAX_TREE_DEPTH, validateTagPosition } from './tag.rules';

const chain = (length: number) => Array.from({ length }, (_, n) => `ancestor ${n}`);

describe('validateTagPosition', () => {
  it.each([
    ['a new tag below an old one', { ancestorIds: ['a'], depth: 1 }],
    ['a tag that moves', { ancestorIds: ['b', 'a'], tagId: 'c', depth: 3 }],
    ['the last level there is', { ancestorIds: chain(MAX_TREE_DEPTH - 1), depth: 1 }],
    ['the last levels there are', { ancestorIds: chain(MAX_TREE_DEPTH - 7), tagId: 'c', depth: 7 }],
  ])('has nothing against %s', (_what, place) => {
    expect(validateTagPosition(place)).toBeUndefined();
  });

  it.each([
    ['an unknown parent', { ancestorIds: [], depth: 1 }, 'validation_failed'],
    ['a tag below itself', { ancestorIds: ['c', 'a'], tagId: 'c', depth: 1 }, 'tag_cycle'],
    ['a tag below its grandchild', { ancestorIds: ['e', 'd', 'c', 'a'], tagId: 'c', depth: 3 }, 'tag_cycle'],
    ['a top tag below its child', { ancestorIds: ['d', 'c'], tagId: 'c', depth: 2 }, 'tag_cycle'],
    ['one level too many', { ancestorIds: chain(MAX_TREE_DEPTH), depth: 1 }, 'validation_failed'],
    [
      'too deep a branch',
      { ancestorIds: chain(MAX_TREE_DEPTH - 6), tagId: 'c', depth: 7 },
      'validation_failed',
    ],
  ])('refuses %s', (_what, place, code) => {
    expect(validateTagPosition(place)).toMatchObject({ code, fields: { parent_id: [expect.any(String)] } });
  });
});
