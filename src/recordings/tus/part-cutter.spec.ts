import { buffer } from 'node:stream/consumers';
import { PartCutter } from './part-cutter';

async function* chunks(texts: string[], failure?: Error): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
  if (failure) throw failure;
}

async function partsOf(cutter: PartCutter): Promise<string[]> {
  const parts: string[] = [];
  while (!(await cutter.isAtEnd())) parts.push((await buffer(cutter.part())).toString());
  return parts;
}

describe('PartCutter', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['a'], ['a']],
    [['abc'], ['abc']],
    [['abcd'], ['abc', 'd']],
    [
      ['a', 'b', 'c', 'd'],
      ['abc', 'd'],
    ],
    [
      ['ab', 'cd', 'efghijk'],
      ['abc', 'def', 'ghi', 'jk'],
    ],
    [['abcdef'], ['abc', 'def']],
  ])('cuts %j into %j', async (texts, parts) => {
    expect(await partsOf(new PartCutter(chunks(texts), 3))).toEqual(parts);
  });

  it('looks ahead, and takes nothing away', async () => {
    const cutter = new PartCutter(chunks(['ab', 'cd', 'ef']), 5);
    expect((await cutter.peek(3)).toString()).toBe('abc');
    expect((await cutter.peek(100)).toString()).toBe('abcdef');
    expect(await partsOf(cutter)).toEqual(['abcde', 'f']);
  });

  it('keeps what came before a failure, and tells of it', async () => {
    const failure = new Error('gone');
    const cutter = new PartCutter(chunks(['abcd', 'e'], failure), 3);
    expect(await partsOf(cutter)).toEqual(['abc', 'de']);
    expect(cutter.failure).toBe(failure);
  });

  it('goes on with the next part after one that nobody read to its end', async () => {
    const cutter = new PartCutter(chunks(['ab', 'cd']), 4);
    for await (const chunk of cutter.part()) {
      expect(chunk.toString()).toBe('ab');
      break;
    }
    expect((await buffer(cutter.part())).toString()).toBe('cd');
  });
});
