import { hasMoreSeparators } from './json-body';

const countOf = (json: string): number => {
  let max = 0;
  while (hasMoreSeparators(Buffer.from(json), max)) max++;
  return max;
};

describe('hasMoreSeparators', () => {
  it.each([
    ['', 0],
    ['7', 0],
    ['[]', 1],
    ['[1,2,{}]', 4],
    ['{"a":[1],"b":{"c":2}}', 4],
    ['{"a":"[,{","b,":1}', 2],
    [String.raw`["\"[,","\\",1]`, 3],
    [String.raw`["\\\"",[]]`, 3],
    ['["é[日,🙂"]', 1],
    ['["unclosed [,', 1],
  ])('counts those of %s outside of strings', (json, count) => {
    expect(countOf(json)).toBe(count);
  });
});
