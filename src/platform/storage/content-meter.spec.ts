import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContentMeter } from './content-meter';

async function* chunks(texts: string[], failure?: Error): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
  if (failure) throw failure;
}

const streamOf = (meter: ContentMeter, content: AsyncIterable<Buffer>) =>
  Readable.from(meter.measure(content), { objectMode: false });

/** Accepts `count` chunks, then fails. */
const failingAfter = (count: number, failure: Error) =>
  new Writable({ write: (_chunk, _encoding, done) => done(count-- > 0 ? null : failure) });

describe('ContentMeter', () => {
  it.each([[[]], [['']], [['a']], [['ab', '', 'cde']]])('measures %j', async (texts) => {
    const meter = new ContentMeter();
    const read = Buffer.concat(await streamOf(meter, chunks(texts)).toArray());
    expect(read.toString()).toBe(texts.join(''));
    expect(meter.size).toBe(read.length);
    expect(meter.digest()).toBe(createHash('sha256').update(read).digest('hex'));
    expect(meter.failure).toBeUndefined();
  });

  it.each([[[]], [['a', 'b']]])('records the failure of content after %j', async (texts) => {
    const meter = new ContentMeter();
    const failure = new Error('gone');
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    await expect(pipeline(streamOf(meter, chunks(texts, failure)), sink)).rejects.toBe(failure);
    expect(meter.failure).toBe(failure);
  });

  it.each([0, 1, 3])('does not record the failure of the destination after %i chunks', async (count) => {
    const meter = new ContentMeter();
    const full = new Error('ENOSPC');
    const source = Readable.from(chunks(['a', 'b', 'c', 'd', 'e']));
    await expect(pipeline(streamOf(meter, source), failingAfter(count, full))).rejects.toBe(full);
    expect(meter.failure).toBeUndefined();
    expect(source.destroyed).toBe(true);
  });
});
