import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { REPOSITORY } from '../../support/service/built-service';

type Json = Record<string, unknown>;
type Send = (method: string, path: string) => Promise<Json>;

interface Removable {
  agents: Json[];
  departments: Json[];
  prepare(options: { login: Json; agents: number; departments: number }, signal?: AbortSignal): Promise<void>;
  remove(): Promise<void>;
}

type RemoveCompany = (company: Removable, timeoutMs: number, notice: (text: string) => void) => Promise<void>;

/** The load test consists of plain modules, which have no types. */
const load = <Module>(path: string) => require(join(REPOSITORY, 'loadtest', path)) as Module;

const { Company } = load<{ Company: new (send: Send, recorder?: object) => Removable }>('company.mjs');
const { removeCompany } = load<{ removeCompany: RemoveCompany }>('remove-company.mjs');

const AGENTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const DEPARTMENTS = ['x', 'y'];
const LONG_MS = 60_000;

/** Removes a company by `send`. @returns the paths that were requested, and the notices */
async function removal(timeoutMs: number, send: Send) {
  const paths: string[] = [];
  const notices: string[] = [];
  const company = new Company((method, path) => {
    paths.push(path);
    return send(method, path);
  });
  company.agents = AGENTS.map((id) => ({ id }));
  company.departments = DEPARTMENTS.map((id) => ({ id }));
  await removeCompany(company, timeoutMs, (text) => notices.push(text));
  return { paths, notices };
}

const all = [
  ...AGENTS.map((id) => `/api/v1/users/${id}`),
  ...DEPARTMENTS.map((id) => `/api/v1/departments/${id}`),
];

describe('the removal of the agents and departments of a load test', () => {
  it('has nothing to say when all are removed', async () => {
    expect(await removal(LONG_MS, () => Promise.resolve({}))).toEqual({ paths: all, notices: [] });
  });

  it('goes on after one that fails, and says how many remain', async () => {
    const { paths, notices } = await removal(LONG_MS, (_method, path) =>
      /users.[ab]/.test(path) ? Promise.reject(new Error('500 internal')) : Promise.resolve({}),
    );
    expect(paths).toEqual(all);
    expect(notices).toEqual([
      'The agents and departments of the test remain: 2 of 8 could not be removed (500 internal)',
    ]);
  });

  it('includes what was added before an interruption of the preparation', async () => {
    const end = new AbortController();
    const paths: string[] = [];
    const send: Send = async (method, path) => {
      paths.push(`${method} ${path}`);
      if (path === '/api/v1/users') end.abort(new Error('it was interrupted'));
      return { data: { id: 'added', slug: 'company' } };
    };
    const company = new Company(send, { duration: () => {} });
    const options = { login: { token: 'access' }, agents: 9, departments: 1 };
    await expect(company.prepare(options, end.signal)).rejects.toThrow('it was interrupted');
    await company.remove();
    expect(paths).not.toContain('POST /api/auth/login');
    expect(paths).toContain('PUT /api/v1/users/added');
    expect(paths).toContain('DELETE /api/v1/departments/added');
  });

  it('includes what was added while another addition failed', async () => {
    let users = 0;
    const removed: string[] = [];
    const send: Send = async (method, path) => {
      const isUser = path === '/api/v1/users';
      const number = isUser ? ++users : 0;
      await setTimeout(number * 5);
      if (number === 1 || path === '/api/v1/access-links') throw new Error('403 plan_limit');
      if (method === 'PUT' || method === 'DELETE') removed.push(path);
      return { data: { id: isUser ? `${number}` : 'x', slug: 'company' } };
    };
    const company = new Company(send, { duration: () => {} });
    const login = { token: 'access' };
    await expect(company.prepare({ login, agents: 0, departments: 1 })).rejects.toThrow('403 plan_limit');
    await expect(company.prepare({ login, agents: 9, departments: 0 })).rejects.toThrow('403 plan_limit');
    await company.remove();
    expect(users).toBe(4);
    expect(removed.sort()).toEqual([
      '/api/v1/departments/x',
      '/api/v1/users/2',
      '/api/v1/users/3',
      '/api/v1/users/4',
    ]);
  });

  it('says so when it takes too long', async () => {
    const { notices } = await removal(20, () => new Promise(() => {}));
    expect(notices).toEqual([
      'The agents and departments of the test remain: they were not removed within 0.02 s',
    ]);
  });
});
