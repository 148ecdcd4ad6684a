import type { Readable } from 'node:stream';

/** The first `most` bytes of an answer, as text that PostgreSQL takes; the rest is not read, and the stream is at its end. */
export async function answerBeginning(answer: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) break;
  }
  return storableText(Buffer.concat(chunks).subarray(0, most));
}

/** UTF-8 with U+FFFD for what is none, without NUL, and without a character that was cut in two at the end. */
function storableText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '');
}
