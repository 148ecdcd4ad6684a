import { MAX_TREE_DEPTH, validateTagPosition } from './tag.rules';

const chain = (length: number) => Array.from({ length }, (_, n) => `ancestor ${n}`);

describe('validateTagPosition', () => {
  it.each([
    ['a new tag below an existing one', { ancestorIds: ['a'], depth: 1 }],
    ['a moved tag', { ancestorIds: ['b', 'a'], tagId: 'c', depth: 3 }],
    ['a new tag on the last level', { ancestorIds: chain(MAX_TREE_DEPTH - 1), depth: 1 }],
    [
      'a subtree that ends on the last level',
      { ancestorIds: chain(MAX_TREE_DEPTH - 7), tagId: 'c', depth: 7 },
    ],
  ])('accepts %s', (_case, position) => {
    expect(validateTagPosition(position)).toBeUndefined();
  });

  it.each([
    ['an unknown parent', { ancestorIds: [], depth: 1 }, 'validation_failed'],
    ['a tag below itself', { ancestorIds: ['c', 'a'], tagId: 'c', depth: 1 }, 'tag_cycle'],
    ['a tag below its grandchild', { ancestorIds: ['e', 'd', 'c', 'a'], tagId: 'c', depth: 3 }, 'tag_cycle'],
    ['a root tag below its child', { ancestorIds: ['d', 'c'], tagId: 'c', depth: 2 }, 'tag_cycle'],
    ['one level too many', { ancestorIds: chain(MAX_TREE_DEPTH), depth: 1 }, 'validation_failed'],
    [
      'a subtree that is too deep',
      { ancestorIds: chain(MAX_TREE_DEPTH - 6), tagId: 'c', depth: 7 },
      'validation_failed',
    ],
  ])('refuses %s', (_case, position, code) => {
    expect(validateTagPosition(position)).toMatchObject({
      code,
      fields: { parent_id: [expect.any(String)] },
    });
  });
});
