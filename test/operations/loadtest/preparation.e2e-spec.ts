import { join } from 'node:path';
import { REPOSITORY } from '../../support/service/built-service';

type Json = Record<string, unknown>;
type Send = (method: string, path: string, request: { token?: string; body?: Json }) => Promise<Json>;

interface Owner {
  token: string;
  refreshToken?: string;
}

interface PatientRequests {
  owner: Owner;
  send(method: string, path: string): Promise<Json>;
}

/** The load test consists of plain modules, which have no types. */
const load = <Module>(path: string) => require(join(REPOSITORY, 'loadtest', path)) as Module;

const { PatientClient } = load<{ PatientClient: new (send: Send, notice: () => void) => PatientRequests }>(
  'client/patient-client.mjs',
);

const { ensureFreshLogin } = load<{ ensureFreshLogin(company: Json, account: Json): Promise<void> }>(
  'actors/keep-logged-in.mjs',
);

const LOGIN = { token: 'access 0', refreshToken: 'refresh 0' };

const refused = (code: string) => Object.assign(new Error(`401 ${code}`), { status: 401, code });

/**
 * The requests of an owner, whose service accepts only the newest access token, and each refresh token once.
 * @param lifetimes how many requests each access token is valid for
 */
function requestsOf(owner: Owner, lifetimes: number[]): PatientRequests {
  let number = 0;
  let remaining = lifetimes[0] ?? 0;
  const send: Send = async (_method, path, { token, body }) => {
    await Promise.resolve();
    if (path === '/api/auth/refresh') {
      if (body?.refresh_token !== `refresh ${number}`) throw refused('refresh_token_invalid');
      remaining = lifetimes[++number] ?? 0;
      return { access_token: `access ${number}`, refresh_token: `refresh ${number}` };
    }
    if (token !== `access ${number}` || remaining-- <= 0) throw refused('token_expired');
    return { token };
  };
  return Object.assign(new PatientClient(send, () => {}), { owner: { ...owner } });
}

const addAgent = (requests: PatientRequests) => requests.send('POST', '/api/v1/users');

describe('the login of the owner', () => {
  it('is renewed once when it expires during several requests', async () => {
    const requests = requestsOf(LOGIN, [0, 4]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => addAgent(requests)));
    expect(answers.map(({ token }) => token)).toEqual(['access 1', 'access 1', 'access 1', 'access 1']);
    expect(requests.owner).toMatchObject({ token: 'access 1', refreshToken: 'refresh 1' });
  });

  it.each([
    ['cannot be renewed without a refresh token', { token: 'access 0' }, [0]],
    ['is not renewed for ever when the clocks differ', LOGIN, [0, 0, 1]],
  ])('%s', async (_what, owner, lifetimes) => {
    await expect(addAgent(requestsOf(owner, lifetimes))).rejects.toThrow('401 token_expired');
  });
});

describe('the login of an agent', () => {
  it.each([
    ['renewed after a long preparation', 601, 'refresh', 1],
    ['kept while it is new', 590, 'refresh', 0],
    ['kept if it cannot be renewed', 601, undefined, 0],
  ])('is %s', async (_what, ageSeconds, refreshToken, expected) => {
    const renewed: unknown[] = [];
    const company = { refresh: (account: unknown) => renewed.push(account) };
    await ensureFreshLogin(company, { refreshToken, renewedAt: performance.now() - ageSeconds * 1000 });
    expect(renewed).toHaveLength(expected);
  });
});
