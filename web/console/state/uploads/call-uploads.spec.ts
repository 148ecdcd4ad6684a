import { ApiError } from '../../../shared/api/client';
import { CallUploads, type CallUpload } from './call-uploads';
import type { FileToSend } from './send-file';

const CALL = 'a call';

interface Attempt extends FileToSend {
  succeed: () => void;
  fail: (error: Error) => void;
}

/** Uploads whose attempts and pauses the test ends. */
function scene() {
  const attempts: Attempt[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const changes: string[] = [];
  const failures: CallUpload[] = [];
  const uploads = new CallUploads(
    (file) =>
      new Promise<void>((resolve, reject) => {
        attempts.push({ ...file, succeed: resolve, fail: reject });
        file.signal.addEventListener('abort', () => reject(file.signal.reason as Error));
      }),
    (ms, signal) =>
      new Promise<void>((resolve) => {
        pauses.push({ ms, end: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
  );
  const listeners = {
    onChange: async () => void changes.push(CALL),
    onFailure: (upload: CallUpload) => void failures.push(upload),
  };
  return {
    uploads,
    attempts,
    pauses,
    changes,
    failures,
    listeners,
    add: (...names: string[]) =>
      uploads.add(
        CALL,
        names.map((name) => new File(['x'], name)),
        listeners,
      ),
    shown: () => uploads.all.value.map(({ file, hasEnded }) => `${file.name}${hasEnded ? ' ended' : ''}`),
    sent: () => attempts.map(({ file }) => file.name),
  };
}

/** A list of files that is fetched when the test says so. */
class HeldList {
  private resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => (this.resolve = resolve));

  list(): void {
    this.resolve();
  }
}

/** Until all promises that are settled already have had their effect. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

const network = () => new ApiError({ code: 'network', detail: '' });
const refusal = (code: string, status = 422) => new ApiError({ code, detail: '', status });

describe('CallUploads', () => {
  it('sends three at a time, and removes what has arrived once it is listed', async () => {
    const { uploads, attempts, sent, shown } = scene();
    const held = new HeldList();
    const files = ['1', '2', '3', '4', '5'].map((name) => new File(['x'], name));
    uploads.add(CALL, files, { onChange: () => held.promise, onFailure: () => undefined });
    await settle();
    expect(sent()).toEqual(['1', '2', '3']);
    attempts[1]?.succeed();
    await settle();
    expect(sent()).toEqual(['1', '2', '3', '4']);
    expect(shown()).toEqual(['1', '2', '3', '4', '5']);
    held.list();
    await settle();
    expect(shown()).toEqual(['1', '3', '4', '5']);
  });

  it('cancels what was started again before the list was fetched after the failure', async () => {
    const { uploads, attempts, shown } = scene();
    const held = new HeldList();
    const listeners = { onChange: () => held.promise, onFailure: () => undefined };
    uploads.add(CALL, [new File(['x'], '1')], listeners);
    await settle();
    attempts[0]?.fail(refusal('plan_limit', 403));
    await settle();
    uploads.retry(uploads.all.value[0] as CallUpload, listeners);
    held.list();
    await settle();
    uploads.close();
    await settle();
    expect(attempts[1]?.signal.aborted).toBe(true);
    expect(shown()).toEqual([]);
  });

  it('repeats an attempt that did not reach the service, with its key, and lets others go first', async () => {
    const { add, attempts, pauses, sent, shown, failures } = scene();
    add('1', '2', '3', '4');
    await settle();
    attempts[0]?.fail(network());
    await settle();
    expect(sent()).toEqual(['1', '2', '3', '4']);
    attempts[1]?.succeed();
    pauses[0]?.end();
    await settle();
    expect(sent()).toEqual(['1', '2', '3', '4', '1']);
    expect(attempts[4]?.key).toBe(attempts[0]?.key);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(4);
    attempts[4]?.succeed();
    await settle();
    expect(shown()).toEqual(['3', '4']);
    expect(failures).toEqual([]);
  });

  it.each([
    ['network', 0, 8],
    ['unavailable', 503, 8],
    ['too_many_uploads', 422, 8],
    ['internal_error', 500, 4],
    ['plan_limit', 403, 1],
    ['payload_too_large', 413, 1],
  ])('leaves %s %d to the user after %d attempts', async (code, status, expected) => {
    const { uploads, add, attempts, pauses, shown, failures, listeners } = scene();
    add('1');
    for (let count = 1; count <= expected; count++) {
      await settle();
      expect(attempts).toHaveLength(count);
      expect(shown()).toEqual(['1']);
      attempts.at(-1)?.fail(refusal(code, status));
      await settle();
      pauses.at(-1)?.end();
    }
    await settle();
    expect(attempts).toHaveLength(expected);
    expect(shown()).toEqual(['1 ended']);
    expect(failures).toMatchObject([{ error: { code }, hasEnded: true }]);
    uploads.retry(uploads.all.value[0] as CallUpload, listeners);
    await settle();
    expect(shown()).toEqual(['1']);
    expect(attempts.at(-1)?.key).toBe(attempts[0]?.key);
  });

  it('takes another key if the file has changed after a lost answer', async () => {
    const { uploads, add, attempts, shown, listeners } = scene();
    add('1');
    await settle();
    attempts[0]?.fail(refusal('idempotency_key_reused'));
    await settle();
    uploads.retry(uploads.all.value[0] as CallUpload, listeners);
    await settle();
    expect(attempts[1]?.key).not.toBe(attempts[0]?.key);
    attempts[1]?.succeed();
    await settle();
    expect(shown()).toEqual([]);
  });

  it('cancels what waits, what is being sent, and what pauses', async () => {
    const { uploads, add, attempts, pauses, sent, shown, failures } = scene();
    add('1', '2', '3', '4', '5');
    await settle();
    const cancel = (name: string) =>
      uploads.cancel(uploads.all.value.find(({ file }) => file.name === name)?.id ?? '');
    attempts[0]?.fail(network());
    await settle();
    cancel('1');
    cancel('2');
    cancel('5');
    await settle();
    pauses[0]?.end();
    attempts[2]?.succeed();
    await settle();
    expect(attempts[1]?.signal.aborted).toBe(true);
    expect(sent()).toEqual(['1', '2', '3', '4']);
    expect(shown()).toEqual(['4']);
    expect(failures).toEqual([]);
  });

  it('sends nothing more after the end of the login', async () => {
    const { uploads, add, attempts, pauses, sent, shown, failures } = scene();
    add('1', '2', '3');
    await settle();
    attempts[0]?.fail(network());
    await settle();
    uploads.close();
    pauses[0]?.end();
    await settle();
    expect(attempts.every(({ signal }) => signal.aborted)).toBe(true);
    expect(sent()).toEqual(['1', '2', '3']);
    expect(shown()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('tells how much of a file was sent', async () => {
    const { uploads, add, attempts } = scene();
    add('1');
    await settle();
    attempts[0]?.onProgress(0.5);
    expect(uploads.all.value).toMatchObject([{ share: 0.5 }]);
    attempts[0]?.fail(network());
    await settle();
    expect(uploads.all.value).toMatchObject([{ share: 0, error: { code: 'network' }, hasEnded: false }]);
  });
});
