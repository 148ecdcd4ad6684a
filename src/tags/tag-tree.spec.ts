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

/** As in `a(b c(d))`. */
const written = (tree: TagTreeDto[]): string =>
  tree.map(({ id, children }) => (children.length > 0 ? `${id}(${written(children)})` : id)).join(' ');

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
    expect(written(buildTagTree(rows.map(([id, parent]) => tag(id, parent))))).toBe(tree);
  });

  it('keeps what a tag says, and has an empty list below a leaf', () => {
    const one = tag('a', null);
    expect(buildTagTree([one])).toEqual([{ ...one, children: [] }]);
    expect(one).not.toHaveProperty('children');
  });

  it('loses and repeats no tag, whatever their order', () => {
    const forest = fc.array(fc.nat(), { maxLength: 60 }).chain((picks) =>
      fc.shuffledSubarray(
        picks.map((pick, n) => tag(`${n}`, pick % (n + 1) === n ? null : `${pick % (n + 1)}`)),
        { minLength: picks.length },
      ),
    );
    fc.assert(
      fc.property(forest, (tags) => {
        const ids = written(buildTagTree(tags)).match(/\d+/g) ?? [];
        expect(ids.toSorted()).toEqual(tags.map(({ id }) => id).toSorted());
      }),
    );
  });
});
