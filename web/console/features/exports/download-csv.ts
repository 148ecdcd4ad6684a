import { readError } from '../../../shared/api/read-error';
import { CsvRowCounter } from './csv-row-counter';
import type { FileSink } from './file-sink';

export interface Progress {
  bytes: number;
  rows: number;
}

/**
 * Writes the file as it comes, so that its size does not matter.
 * @param send e.g. `session.send`
 * @throws ApiError when the service refuses it, AbortError when the signal was aborted
 */
export async function downloadCsv(
  send: (request: Request) => Promise<Response>,
  url: URL,
  file: FileSink,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Progress> {
  try {
    const response = await send(new Request(url, { signal }));
    if (!response.ok || !response.body) {
      throw readError(await response.json().catch(() => null), response.status, response.headers);
    }
    const progress = await copy(response.body, file, onProgress);
    await file.close();
    return progress;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

async function copy(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  file: FileSink,
  onProgress: (progress: Progress) => void,
): Promise<Progress> {
  const reader = body.getReader();
  const counter = new CsvRowCounter();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes, rows: counter.rows };
    await file.write(value);
    counter.add(value);
    bytes += value.length;
    onProgress({ bytes, rows: counter.rows });
  }
}
