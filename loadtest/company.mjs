// The part of a company in which the test works: departments of its own with agents and links. At the end they are removed.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cnpj } from 'cpf-cnpj-validator';
import { LineModel } from './checks/line-model.mjs';
import { limitSentence } from './client/limits.mjs';

/** Agents that are created, logged in or deactivated at the same time. */
const CONCURRENCY = 4;
const MAX_WAIT_SECONDS = 86_400;
const MAX_QUEUE_SIZE = 100_000;

export class Company {
  /** `{ id, link, line }` of each department: the token of its access link, and its LineModel. */
  departments = [];
  /** `{ id, email, token, refreshToken }` of each agent. */
  agents = [];
  /** `{ token, refreshToken }`. */
  owner = { token: '' };
  #send;
  #name = `Load test ${randomBytes(4).toString('hex')}`;
  #password = randomBytes(16).toString('base64url');
  #tenant;
  #recorder;
  #notice;

  /** @param notice gets sentences about what delays the preparation */
  constructor(send, recorder, notice) {
    this.#send = send;
    this.#recorder = recorder;
    this.#notice = notice;
  }

  /** @param login of the options @throws RequestError */
  async prepare(login, agentCount, departmentCount) {
    await this.#logInOwner(login);
    await inParallel(numbers(departmentCount), (n) => this.#addDepartment(n));
    await inParallel(numbers(agentCount), (n) => this.#addAgent(n));
  }

  async #addDepartment(number) {
    const department = {
      name: `${this.#name} ${number}`,
      routing: 'automatic',
      wrap_up_time: 0,
      offer_timeout: 30,
    };
    const limits = { max_queue_size: MAX_QUEUE_SIZE, max_wait_time: MAX_WAIT_SECONDS };
    const { data } = await this.#patiently('POST', '/api/v1/departments', {
      department: { ...department, ...limits },
    });
    const { id } = data;
    const link = await this.#patiently('POST', '/api/v1/access-links', { department_id: id });
    this.departments.push({ id, link: link.data.token, line: new LineModel() });
  }

  /** Renews the login of the owner or of an agent. */
  async refresh(account) {
    const body = { refresh_token: account.refreshToken };
    const { access_token, refresh_token } = await this.#patiently('POST', '/api/auth/refresh', body);
    Object.assign(account, { token: access_token, refreshToken: refresh_token });
  }

  /** Deactivates the agents and deletes the departments; calls and reports remain. */
  async remove() {
    await inParallel(this.agents, ({ id }) =>
      this.#patiently('PUT', `/api/v1/users/${id}`, { user: { active: false } }),
    );
    await inParallel(this.departments, ({ id }) => this.#patiently('DELETE', `/api/v1/departments/${id}`));
  }

  async #logInOwner({ isSignup, token, tenant, email, password }) {
    if (token) {
      this.owner = { token };
    } else {
      const login = isSignup ? await this.#signUp() : { tenant, email, password };
      const { access_token, refresh_token } = await this.#patiently('POST', '/api/auth/login', login);
      this.owner = { token: access_token, refreshToken: refresh_token };
    }
    // A token does not name its company, which the agents log in to.
    this.#tenant = (await this.#patiently('GET', '/api/v1/tenant')).data.slug;
  }

  async #signUp() {
    const email = `owner-${randomBytes(4).toString('hex')}@loadtest.example`;
    const { data } = await this.#patiently('POST', '/api/signup/register', {
      company_name: this.#name,
      document: cnpj.generate(),
      document_type: 'cnpj',
      admin_name: 'Load test',
      admin_email: email,
      admin_password: this.#password,
      plan: 'free',
    });
    return { tenant: data.tenant.slug, email, password: this.#password };
  }

  async #addAgent(number) {
    const email = `${this.#name.replaceAll(' ', '-').toLowerCase()}-${number}@loadtest.example`;
    const user = { name: `Agent ${number}`, email, role: 'attendant', password: this.#password };
    const { data } = await this.#patiently('POST', '/api/v1/users', {
      ...user,
      department_ids: [this.departments[number % this.departments.length].id],
    });
    const agent = { id: data.id, email };
    this.agents.push(agent);
    const begin = performance.now();
    const login = { tenant: this.#tenant, email, password: this.#password };
    const { access_token, refresh_token } = await this.#patiently('POST', '/api/auth/login', login);
    this.#recorder.duration('login', performance.now() - begin);
    Object.assign(agent, { token: access_token, refreshToken: refresh_token });
  }

  /** Waits where the target limits the rate: only the test itself must run without such waits. */
  async #patiently(method, path, body) {
    const token = path.startsWith('/api/v1/') ? this.owner.token : undefined;
    for (;;) {
      try {
        return await this.#send(method, path, { body, token });
      } catch (error) {
        const { status, code, retryAfter } = error;
        const limit = limitSentence(path, status, code, retryAfter);
        if (limit) this.#notice(limit);
        if (status !== 429 && status !== 503) throw error;
        await sleep((retryAfter ?? 1) * 1000);
      }
    }
  }
}

const numbers = (count) => Array.from({ length: count }, (_, n) => n);

async function inParallel(items, work) {
  const remaining = items.values();
  const worker = async () => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
