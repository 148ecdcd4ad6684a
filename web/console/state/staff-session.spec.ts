import { StaffSession } from './staff-session';
import { expiryOf, tokenStore, type StaffTokens } from './token-store';

const globals = globalThis as unknown as Record<string, unknown>;
const USER = { id: 'u', name: 'Ana', email: 'ana@example.com', role: 'attendant' as const };
const NOW = 1_800_000_000_000;

/** @param seconds until the access token expires */
function tokens(name: string, seconds = 900): StaffTokens {
  const payload = btoa(JSON.stringify({ iat: NOW / 1000, exp: NOW / 1000 + seconds, name }));
  return { access_token: `h.${payload}.s`, refresh_token: `refresh-${name}`, user: USER };
}

const open = () => new StaffSession('http://service');

describe('StaffSession', () => {
  let stored: Map<string, string>;
  let requests: { path: string; body: unknown; authorization: string | null }[];
  let answers: Record<string, () => Response>;
  /** Tells the page what another tab has written. */
  let onStorage: (event: object) => void;
  const realFetch = globalThis.fetch;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    stored = new Map();
    globals['localStorage'] = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    };
    requests = [];
    answers = {};
    globals['location'] = { origin: 'http://service' };
    globals['addEventListener'] = (_type: string, listener: (event: object) => void) =>
      (onStorage = listener);
    globalThis.fetch = async (input) => {
      const request = input as Request;
      const path = new URL(request.url).pathname;
      const body = request.body ? ((await request.json()) as unknown) : null;
      requests.push({ path, body, authorization: request.headers.get('authorization') });
      return answers[path]?.() ?? Response.json({}, { status: 404 });
    };
  });
  afterEach(() => {
    jest.useRealTimers();
    globalThis.fetch = realFetch;
    delete globals['localStorage'];
    delete globals['location'];
    delete globals['addEventListener'];
  });

  it('keeps the login over a reload', async () => {
    answers['/api/auth/login'] = () => Response.json(tokens('a'));
    const credentials = { tenant: 't', email: 'ana@example.com', password: 'p' };
    await expect(open().logIn(credentials)).resolves.toBeNull();
    expect(open().user.value).toEqual(USER);
  });

  it('asks for a code if the user has two-step login', async () => {
    answers['/api/auth/login'] = () => Response.json({ mfa_required: true, mfa_token: 'm' });
    answers['/api/auth/mfa/verify'] = () => Response.json(tokens('a'));
    const session = open();
    await expect(session.logIn({ tenant: 't', email: 'e', password: 'p' })).resolves.toBe('m');
    expect(session.user.value).toBeNull();
    await session.verify('m', '123456');
    expect(session.user.value).toEqual(USER);
    expect(requests.at(-1)?.body).toEqual({ mfa_token: 'm', code: '123456' });
  });

  it('renews the token before it expires, and tells the socket', async () => {
    tokenStore.write(tokens('a', 900));
    answers['/api/auth/refresh'] = () => Response.json(tokens('b', 1800));
    const session = open();
    const renewed = new Promise<string>((resolve) => (session.onRenewed = resolve));
    jest.advanceTimersByTime(839_000);
    expect(requests).toEqual([]);
    jest.advanceTimersByTime(1000);
    await expect(renewed).resolves.toBe(tokens('b', 1800).access_token);
    expect(requests.at(-1)?.body).toEqual({ refresh_token: 'refresh-a' });
    expect(tokenStore.read()?.refresh_token).toBe('refresh-b');
  });

  it('takes the token that another tab has renewed, without a further request', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    tokenStore.write(tokens('b'));
    await expect(session.renew()).resolves.toBe(true);
    expect(session.accessToken).toBe(tokens('b').access_token);
    expect(requests).toEqual([]);
  });

  it('asks for no token when another tab has renewed it while this one waited for its turn', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    const takeTurn: (() => void)[] = [];
    const turn = new Promise<void>((resolve) => takeTurn.push(resolve));
    const request = async (_name: string, task: () => Promise<void>) => turn.then(task);
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
    try {
      const renewing = session.renew();
      tokenStore.write(tokens('b'));
      onStorage({ key: 'vcq-staff', newValue: stored.get('vcq-staff') });
      takeTurn[0]?.();
      await expect(renewing).resolves.toBe(true);
      expect(session.accessToken).toBe(tokens('b').access_token);
      expect(requests).toEqual([]);
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('sends a request again after its token was refused', async () => {
    tokenStore.write(tokens('a'));
    answers['/api/auth/refresh'] = () => Response.json(tokens('b'));
    answers['/api/v1/users/me'] = () =>
      requests.at(-1)?.authorization === `Bearer ${tokens('b').access_token}`
        ? Response.json({ data: { name: 'Ana' } })
        : Response.json({ errors: { code: 'unauthenticated', detail: '' } }, { status: 401 });
    const { data } = await open().api.GET('/api/v1/users/me');
    expect(data).toEqual({ data: { name: 'Ana' } });
  });

  it('shows a new name in all tabs, and renews the token as before', async () => {
    tokenStore.write(tokens('a', 900));
    answers['/api/auth/refresh'] = () => Response.json(tokens('b', 1800));
    const [session, tab] = [open(), open()];
    jest.advanceTimersByTime(400_000);
    session.rename('Ana Maria');
    onStorage({ key: 'vcq-staff', newValue: stored.get('vcq-staff') });
    expect([session.user.value?.name, tab.user.value?.name]).toEqual(['Ana Maria', 'Ana Maria']);
    const renewed = new Promise((resolve) => (session.onRenewed = resolve));
    jest.advanceTimersByTime(440_000);
    await renewed;
    expect(open().user.value?.name).toBe(USER.name);
  });

  it('shows a new name with the tokens that another tab has just stored', () => {
    tokenStore.write(tokens('a'));
    const session = open();
    tokenStore.write(tokens('b'));
    session.rename('Ana Maria');
    expect(tokenStore.read()).toEqual({ ...tokens('b'), user: { ...USER, name: 'Ana Maria' } });
    expect(session.accessToken).toBe(tokens('b').access_token);
  });

  it('does not bring back the login that another tab has just ended, or of another user', () => {
    tokenStore.write(tokens('a'));
    const session = open();
    const other = { ...tokens('b'), user: { ...USER, id: 'v' } };
    tokenStore.write(other);
    session.rename('Ana Maria');
    expect(tokenStore.read()).toEqual(other);
    tokenStore.logOut();
    session.rename('Ana Maria');
    expect(tokenStore.read()).toBeNull();
  });

  it('renews the token that the service says expires, unless it was renewed already', async () => {
    tokenStore.write(tokens('a', 900));
    answers['/api/auth/refresh'] = () => Response.json(tokens('b', 1800));
    const session = open();
    const renewed = new Promise((resolve) => (session.onRenewed = resolve));
    session.renewBefore(NOW + 900_000);
    await renewed;
    session.renewBefore(NOW + 900_000);
    expect(requests).toHaveLength(1);
  });

  it('repeats a refresh whose answer was lost while the service repeats the answer', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    answers['/api/auth/refresh'] = () => {
      throw new TypeError('Failed to fetch');
    };
    await expect(session.renew()).resolves.toBe(false);
    answers['/api/auth/refresh'] = () => Response.json(tokens('b'));
    const renewed = new Promise((resolve) => (session.onRenewed = resolve));
    jest.advanceTimersByTime(10_000);
    await renewed;
    expect(requests.map(({ body }) => body)).toEqual([
      { refresh_token: 'refresh-a' },
      { refresh_token: 'refresh-a' },
    ]);
  });

  it('expires when the service refuses the refresh token, but not when it is not reached', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    answers['/api/auth/refresh'] = () => Response.json({}, { status: 503 });
    await expect(session.renew()).resolves.toBe(false);
    expect(session.user.value).toEqual(USER);
    answers['/api/auth/refresh'] = () => Response.json({}, { status: 401 });
    await expect(session.renew()).resolves.toBe(false);
    // The page of the user stays, so that nothing typed is lost.
    expect([session.user.value, session.hasExpired.value]).toEqual([USER, true]);
    expect(tokenStore.read()).toBeNull();
  });

  it('goes on with the login of another tab, expires with it, and ends when the person logs out there', () => {
    tokenStore.write(tokens('a'));
    const session = open();
    onStorage({ key: 'vcq-staff', newValue: null });
    expect([session.user.value, session.hasExpired.value]).toEqual([USER, true]);
    onStorage({ key: 'vcq-staff', newValue: JSON.stringify(tokens('b')) });
    expect(session.hasExpired.value).toBe(false);
    expect(session.accessToken).toBe(tokens('b').access_token);
    tokenStore.logOut();
    onStorage({ key: 'vcq-staff', newValue: stored.get('vcq-staff') });
    expect([session.user.value, session.hasExpired.value, session.accessToken]).toEqual([null, false, '']);
    expect(open().user.value).toBeNull();
  });

  it('renews once for requests that are refused at the same time', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    answers['/api/auth/refresh'] = () => Response.json(tokens('b'));
    answers['/api/v1/users/me'] = () =>
      requests.at(-1)?.authorization === `Bearer ${tokens('b').access_token}`
        ? Response.json({ data: {} })
        : Response.json({}, { status: 401 });
    const answered = await Promise.all([1, 2, 3].map(() => session.api.GET('/api/v1/users/me')));
    expect(answered.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    expect(requests.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
  });

  it('is not renewed again and again if the clock of the computer is ahead', async () => {
    tokenStore.write(tokens('a', 900));
    jest.setSystemTime(NOW + 3_600_000);
    answers['/api/auth/refresh'] = () => Response.json(tokens('b', 900));
    const session = open();
    const renewed = new Promise((resolve) => (session.onRenewed = resolve));
    jest.advanceTimersByTime(30_000);
    await renewed;
    jest.advanceTimersByTime(839_000);
    expect(requests).toHaveLength(1);
  });

  it('is not logged in again by the answer to a refresh that was under way', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    const give: ((response: Response) => void)[] = [];
    globalThis.fetch = () => new Promise((resolve) => give.push(resolve));
    const renewing = session.renew();
    session.forget();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    give[0]?.(Response.json(tokens('b')));
    await expect(renewing).resolves.toBe(false);
    expect([session.user.value, tokenStore.read()]).toEqual([null, null]);
  });

  it('forgets the login here even if the service is not reached', async () => {
    tokenStore.write(tokens('a'));
    const session = open();
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    await session.logOut();
    expect(session.user.value).toBeNull();
    expect(tokenStore.read()).toBeNull();
  });
});

describe('expiryOf', () => {
  it.each(['', 'x', 'a.b.c', `h.${btoa('{}')}.s`])('is 0 for %p', (token) => {
    expect(expiryOf(token)).toBe(0);
  });
});
