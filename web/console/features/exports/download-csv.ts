import { ApiError } from '../../../shared/api/client';
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
 * @throws ApiError when the service refuses it or is not reached, AbortError when the signal was aborted
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
      // An error that is not JSON, such as a proxy's, is known by its status alone.
      throw readError(await response.json().catch(() => null), response.status, response.headers);
    }
    const progress = await copy(response.body, file, onProgress);
    await file.close();
    return progress;
  } catch (error) {
    await file.abort();
    // What `fetch` throws when the network is lost, before the answer or in the middle of it.
    if (error instanceof TypeError)
      throw new ApiError({ code: 'network', detail: 'The connection was lost.' });
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
