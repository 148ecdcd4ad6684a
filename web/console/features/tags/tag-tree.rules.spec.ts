import { flatten, possibleParents, type TagTree } from './tag-tree.rules';

const tag = (id: string, ...children: TagTree[]) => ({ id, name: id, children }) as TagTree;

const leaf = tag('leaf');
const branch = tag('branch', leaf);
const root = tag('root', branch);
const rows = flatten([root, tag('other')]);

it('a tag is followed by those below it', () => {
  expect(rows.map(({ id, depth }) => [id, depth])).toEqual([
    ['root', 0],
    ['branch', 1],
    ['leaf', 2],
    ['other', 0],
  ]);
});

it.each([
  ['a new tag', null, ['root', 'branch', 'leaf', 'other']],
  ['root', root, ['other']],
  ['branch', branch, ['root', 'other']],
  ['leaf', leaf, ['root', 'branch', 'other']],
])('%s can be put below some', (_, moved, parents) => {
  expect(possibleParents(rows, moved).map(({ id }) => id)).toEqual(parents);
});
