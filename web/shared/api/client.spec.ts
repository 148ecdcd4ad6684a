import { createApi, unwrap } from './client';

function apiThatAnswers(answer: () => Promise<Response>) {
  const requests: Request[] = [];
  const fetch = (request: Request) => {
    requests.push(request);
    return answer();
  };
  return { requests, api: createApi({ url: 'http://service', token: () => 'secret', fetch }) };
}

const neverAnswers = (_request: Request, { signal }: RequestInit = {}) =>
  new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

const me = (api: ReturnType<typeof createApi>) => unwrap(api.GET('/api/v1/users/me'));

describe('createApi', () => {
  it('sends the token, and returns the body', async () => {
    const { api, requests } = apiThatAnswers(() => Promise.resolve(Response.json({ data: { name: 'Ana' } })));
    await expect(me(api)).resolves.toEqual({ data: { name: 'Ana' } });
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer secret');
  });

  it('rejects with the error of the service', async () => {
    const { api } = apiThatAnswers(() =>
      Promise.resolve(Response.json({ errors: { code: 'forbidden', detail: 'No.' } }, { status: 403 })),
    );
    await expect(me(api)).rejects.toMatchObject({ name: 'ApiError', code: 'forbidden', status: 403 });
  });

  it('aborts a request that is not answered in time, as one that did not reach the service', async () => {
    const api = createApi({ url: 'http://service', timeoutMs: 10, fetch: neverAnswers });
    await expect(me(api)).rejects.toMatchObject({ name: 'ApiError', code: 'network', status: 0 });
  });

  it('rejects with the code network if the service is not reached', async () => {
    const { api } = apiThatAnswers(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(me(api)).rejects.toMatchObject({ name: 'ApiError', code: 'network', status: 0 });
  });
});
