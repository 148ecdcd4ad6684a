import { buffer } from 'node:stream/consumers';
import { StreamSplitter } from './stream-splitter';

async function* chunks(texts: string[], failure?: Error): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
  if (failure) throw failure;
}

async function partsOf(splitter: StreamSplitter): Promise<string[]> {
  const parts: string[] = [];
  while (!(await splitter.isAtEnd())) parts.push((await buffer(splitter.nextPart())).toString());
  return parts;
}

describe('StreamSplitter', () => {
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
  ])('splits %j into %j', async (texts, parts) => {
    expect(await partsOf(new StreamSplitter(chunks(texts), 3))).toEqual(parts);
  });

  it('peeks without consuming', async () => {
    const splitter = new StreamSplitter(chunks(['ab', 'cd', 'ef']), 5);
    expect((await splitter.peek(3)).toString()).toBe('abc');
    expect((await splitter.peek(100)).toString()).toBe('abcdef');
    expect(await partsOf(splitter)).toEqual(['abcde', 'f']);
  });

  it('keeps what came before a failure, and reports it', async () => {
    const failure = new Error('gone');
    const splitter = new StreamSplitter(chunks(['abcd', 'e'], failure), 3);
    expect(await partsOf(splitter)).toEqual(['abc', 'de']);
    expect(splitter.failure).toBe(failure);
  });

  it('continues after a part that was not read to its end', async () => {
    const splitter = new StreamSplitter(chunks(['ab', 'cd']), 4);
    for await (const chunk of splitter.nextPart()) {
      expect(chunk.toString()).toBe('ab');
      break;
    }
    expect((await buffer(splitter.nextPart())).toString()).toBe('cd');
  });
});
