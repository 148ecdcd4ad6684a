import type { StaffSession } from '../staff-session';
import { fileSender } from './send-file';

const AGENT = 'an agent';

/** An XMLHttpRequest that the test answers. */
class FakeRequest extends EventTarget {
  static readonly sent: FakeRequest[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  status = 0;
  responseText = '';
  isAborted = false;

  open(): void {}

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  getResponseHeader = (): string | null => null;

  send(): void {
    FakeRequest.sent.push(this);
  }

  abort(): void {
    this.isAborted = true;
    this.end('abort');
  }

  answer(status: number, code = ''): void {
    this.status = status;
    this.responseText = JSON.stringify({ errors: { code, detail: '' } });
    this.end('load');
  }

  progress(): void {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
  }

  end(type: string): void {
    this.dispatchEvent(new Event(type));
    this.dispatchEvent(new Event('loadend'));
  }
}

/** An upload that has begun. */
function scene({ file = new File(['x'], 'a.txt'), renew = async () => false } = {}) {
  const session = {
    accessToken: 'first',
    user: { value: { id: AGENT } },
    hasExpired: { value: false },
    renew,
  };
  const cancel = new AbortController();
  const shares: number[] = [];
  const upload = { callId: 'call', file, key: 'key', signal: cancel.signal };
  const send = () =>
    fileSender(
      session as unknown as StaffSession,
      AGENT,
    )({ ...upload, onProgress: (share) => shares.push(share) });
  return { session, cancel, shares, send };
}

const request = (index: number) => FakeRequest.sent[index] as FakeRequest;

/** Until all promises that are settled already have had their effect. */
const settle = () => jest.advanceTimersByTimeAsync(0);

describe('fileSender', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    FakeRequest.sent.length = 0;
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest });
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
  });

  it('sends the file with token and key, and tells how much was sent', async () => {
    const { send, shares } = scene();
    const sending = send();
    expect(request(0).headers).toEqual({ authorization: 'Bearer first', 'idempotency-key': 'key' });
    request(0).progress();
    request(0).answer(201);
    await sending;
    expect(shares).toEqual([0.5]);
  });

  it('sends it once more with a renewed token', async () => {
    const { send, session } = scene({
      renew: async () => {
        session.accessToken = 'second';
        return true;
      },
    });
    const sending = send();
    request(0).answer(401, 'token_expired');
    await settle();
    expect(request(1).headers.authorization).toBe('Bearer second');
    request(1).answer(201);
    await sending;
  });

  it.each([
    ['the service is not reached', false, 'network'],
    ['the login has ended', true, 'token_expired'],
  ])('says so if the token cannot be renewed because %s', async (_what, hasExpired, code) => {
    const { send, session } = scene();
    session.hasExpired.value = hasExpired;
    const sending = send();
    request(0).answer(401, 'token_expired');
    await expect(sending).rejects.toMatchObject({ code });
  });

  it('sends nothing as another user', async () => {
    const { send, session } = scene();
    session.user.value = { id: 'another' };
    await expect(send()).rejects.toMatchObject({ status: 401 });
    expect(FakeRequest.sent).toEqual([]);
  });

  it('tells an unreachable service from a file that can no longer be read', async () => {
    const { send } = scene();
    const sending = send();
    request(0).end('error');
    await expect(sending).rejects.toMatchObject({ code: 'network', status: 0 });
    const file = new File(['x'], 'a.txt');
    file.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) as unknown as Blob;
    const unreadable = scene({ file }).send();
    request(1).end('error');
    await expect(unreadable).rejects.toMatchObject({ code: 'file_unreadable', status: 422 });
  });

  it('ends a request that makes no progress for two minutes', async () => {
    const { send } = scene();
    const sending = send();
    const ended = expect(sending).rejects.toMatchObject({ code: 'network' });
    await jest.advanceTimersByTimeAsync(119_000);
    request(0).progress();
    await jest.advanceTimersByTimeAsync(119_000);
    expect(request(0).isAborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1000);
    expect(request(0).isAborted).toBe(true);
    await ended;
  });

  it('is cancelled while it sends, while the token is renewed, and before', async () => {
    const sending = scene();
    const first = sending.send();
    sending.cancel.abort();
    await expect(first).rejects.toThrow(/abort/i);
    expect(request(0).isAborted).toBe(true);

    const renewing = scene({ renew: () => new Promise(() => {}) });
    const second = renewing.send();
    request(1).answer(401, 'token_expired');
    await settle();
    renewing.cancel.abort();
    await expect(second).rejects.toThrow(/abort/i);

    const cancelled = scene();
    cancelled.cancel.abort();
    await expect(cancelled.send()).rejects.toThrow(/abort/i);
    expect(FakeRequest.sent).toHaveLength(2);
  });
});
