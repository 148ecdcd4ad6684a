import * as fc from 'fast-check';
import type { TagDto, TagTreeDto } from './tag.dto';
import { buildTagTree } from './tag-tree';

const tag = (id: string, parent_id: string | null): TagDto => ({
  id,
  name: id,
  color: '#64748b',
  parent_id,
  description: null,
  inserted_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
});

/** Formats a tree as in `a(b c(d))`. */
const format = (tree: TagTreeDto[]): string =>
  tree.map(({ id, children }) => (children.length > 0 ? `${id}(${format(children)})` : id)).join(' ');

describe('buildTagTree', () => {
  it.each<[[string, string | null][], string]>([
    [[], ''],
    [[['a', null]], 'a'],
    [
      [
        ['b', null],
        ['a', null],
      ],
      'b a',
    ],
    [
      [
        ['d', 'c'],
        ['b', 'a'],
        ['a', null],
        ['c', 'a'],
      ],
      'a(b c(d))',
    ],
    [
      [
        ['a', null],
        ['y', 'a'],
        ['b', null],
        ['x', 'a'],
        ['z', 'b'],
      ],
      'a(y x) b(z)',
    ],
  ])('nests %j as %j', (rows, tree) => {
    expect(format(buildTagTree(rows.map(([id, parent]) => tag(id, parent))))).toBe(tree);
  });

  it('keeps the fields of a tag and gives leaves an empty list of children', () => {
    const one = tag('a', null);
    expect(buildTagTree([one])).toEqual([{ ...one, children: [] }]);
    expect(one).not.toHaveProperty('children');
  });

  it('contains every tag exactly once, in any order of the input', () => {
    const forest = fc.array(fc.nat(), { maxLength: 60 }).chain((picks) =>
      fc.shuffledSubarray(
        picks.map((pick, n) => tag(`${n}`, pick % (n + 1) === n ? null : `${pick % (n + 1)}`)),
        { minLength: picks.length },
      ),
    );
    fc.assert(
      fc.property(forest, (tags) => {
        const ids = format(buildTagTree(tags)).match(/\d+/g) ?? [];
        expect(ids.toSorted()).toEqual(tags.map(({ id }) => id).toSorted());
      }),
    );
  });
});
