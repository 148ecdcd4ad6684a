import { parseSearchWords } from './search-words';

describe('parseSearchWords', () => {
  it.each<[string | undefined, string[][]]>([
    [undefined, []],
    ['', []],
    [' \t\n ', []],
    ['João', [['João']]],
    ['Lima  João\u00a0da', [['Lima'], ['João'], ['da']]],
    ["O'Brien", [["O'Brien"]]],
    ['ana@example.com', [['ana@example.com']]],
    ['11912345678', [['11912345678']]],
    [
      '+55 (11) 91234-5678',
      [
        ['+55', '55'],
        ['(11)', '11'],
        ['91234-5678', '912345678'],
      ],
    ],
    ['529.982.247-25', [['529.982.247-25', '52998224725']]],
    ['12.ABC.345/01DE-35', [['12.ABC.345/01DE-35', '12ABC34501DE35']]],
    ['%_\\', [['%_\\']]],
    ['100% a_1 4@x.example', [['100%'], ['a_1'], ['4@x.example']]],
    ['- (', [['-'], ['(']]],
    ['a b c d e f g h i j', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h']]],
  ])('splits %j into %j', (search, words) => {
    expect(parseSearchWords(search)).toEqual(words);
  });
});
