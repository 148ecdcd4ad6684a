import { downloadCsv } from './download-csv';

const URL_OF_EXPORT = new URL('http://service.example/api/v1/export/calls.csv');
const CSV = 'id,name\r\n1,Ana\r\n2,Bia\r\n';

function fakeFile() {
  const calls: string[] = [];
  return {
    calls,
    write: (bytes: Uint8Array) => Promise.resolve(void calls.push(new TextDecoder().decode(bytes))),
    close: () => Promise.resolve(void calls.push('close')),
    abort: () => Promise.resolve(void calls.push('abort')),
  };
}

describe('the download of an export', () => {
  const { signal } = new AbortController();

  it('writes the file and tells its size and its rows', async () => {
    const file = fakeFile();
    const seen: unknown[] = [];
    const send = () => Promise.resolve(new Response(CSV));
    const done = await downloadCsv(send, URL_OF_EXPORT, file, signal, (progress) => seen.push(progress));
    expect(done).toEqual({ bytes: CSV.length, rows: 2 });
    expect(seen.at(-1)).toEqual(done);
    expect(file.calls).toEqual([CSV, 'close']);
  });

  it('leaves no file when the service refuses it', async () => {
    const file = fakeFile();
    const body = JSON.stringify({ errors: { code: 'service_unavailable', detail: 'Busy.' } });
    const send = () => Promise.resolve(new Response(body, { status: 503 }));
    const download = downloadCsv(send, URL_OF_EXPORT, file, signal, () => undefined);
    await expect(download).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(file.calls).toEqual(['abort']);
  });

  it('leaves no file when the connection ends half way', async () => {
    const file = fakeFile();
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('id\r\n')),
      pull: (controller) => controller.error(new TypeError('network')),
    });
    const send = () => Promise.resolve(new Response(stream));
    const download = downloadCsv(send, URL_OF_EXPORT, file, signal, () => undefined);
    await expect(download).rejects.toMatchObject({ code: 'network' });
    expect(file.calls.at(-1)).toBe('abort');
    expect(file.calls).not.toContain('close');
  });
});
