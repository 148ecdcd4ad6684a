// The part of a company in which the test works: departments of its own with agents and links. At the end they are removed.
import { randomBytes } from 'node:crypto';
import { cnpj } from 'cpf-cnpj-validator';
import { LineModel } from './checks/line-model.mjs';
import { PatientClient } from './client/patient-client.mjs';

/** Agents that are created, logged in or deactivated at the same time. */
const CONCURRENCY = 4;
const MAX_WAIT_SECONDS = 86_400;
const MAX_QUEUE_SIZE = 100_000;

export class Company {
  /** `{ id, link, line }` of each department: the token of its access link, and its LineModel. */
  departments = [];
  /** `{ id, email }` of each agent, with the login of PatientClient. */
  agents = [];
  #client;
  #name = `Load test ${randomBytes(4).toString('hex')}`;
  #password = randomBytes(16).toString('base64url');
  #tenant;
  #recorder;

  /** @param notice gets sentences about what delays the preparation */
  constructor(send, recorder, notice) {
    this.#client = new PatientClient(send, notice);
    this.#recorder = recorder;
  }

  /** The login of the owner. */
  get owner() {
    return this.#client.owner;
  }

  /** @param login of the options @throws RequestError; the signal's reason */
  async prepare({ login, agents, departments }, signal) {
    this.#client.signal = signal;
    try {
      await this.#logInOwner(login);
      await inParallel(numbers(departments), (n) => this.#addDepartment(n));
      await inParallel(numbers(agents), (n) => this.#addAgent(n));
    } finally {
      this.#client.signal = undefined;
    }
  }

  async #addDepartment(number) {
    const department = {
      name: `${this.#name} ${number}`,
      routing: 'automatic',
      wrap_up_time: 0,
      offer_timeout: 30,
    };
    const limits = { max_queue_size: MAX_QUEUE_SIZE, max_wait_time: MAX_WAIT_SECONDS };
    const { data } = await this.#client.send('POST', '/api/v1/departments', {
      department: { ...department, ...limits },
    });
    const added = { id: data.id, line: new LineModel() };
    this.departments.push(added);
    const link = await this.#client.send('POST', '/api/v1/access-links', { department_id: added.id });
    added.link = link.data.token;
  }

  /** Renews the login of the owner or of an agent. */
  refresh(account) {
    return this.#client.renew(account);
  }

  /**
   * Deactivates the agents and deletes the departments; calls and reports remain. One that fails does not stop the others.
   * @throws Error with the number of those that remain
   */
  async remove() {
    const errors = [];
    const remove = (...request) => this.#client.send(...request).catch((error) => errors.push(error));
    await inParallel(this.agents, ({ id }) =>
      remove('PUT', `/api/v1/users/${id}`, { user: { active: false } }),
    );
    await inParallel(this.departments, ({ id }) => remove('DELETE', `/api/v1/departments/${id}`));
    const [first] = errors;
    if (!first) return;
    const count = this.agents.length + this.departments.length;
    throw new Error(`${errors.length} of ${count} could not be removed (${first.message})`);
  }

  async #logInOwner({ isSignup, token, tenant, email, password }) {
    if (token) {
      this.#client.owner = { token };
    } else {
      const credentials = isSignup ? await this.#signUp() : { tenant, email, password };
      this.#client.owner = await this.#client.logIn(credentials);
    }
    // A token does not name its company, which the agents log in to.
    this.#tenant = (await this.#client.send('GET', '/api/v1/tenant')).data.slug;
  }

  async #signUp() {
    const email = `owner-${randomBytes(4).toString('hex')}@loadtest.example`;
    const { data } = await this.#client.send('POST', '/api/signup/register', {
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
    const { data } = await this.#client.send('POST', '/api/v1/users', {
      ...user,
      department_ids: [this.departments[number % this.departments.length].id],
    });
    const agent = { id: data.id, email };
    this.agents.push(agent);
    const begin = performance.now();
    const login = await this.#client.logIn({ tenant: this.#tenant, email, password: this.#password });
    this.#recorder.duration('login', performance.now() - begin);
    Object.assign(agent, login);
  }
}

const numbers = (count) => Array.from({ length: count }, (_, n) => n);

/** After an error nothing more begins. What has begun is waited for: it may add something that has to be removed. */
async function inParallel(items, work) {
  const remaining = items.values();
  const errors = [];
  const worker = async () => {
    for (const item of remaining) {
      if (errors.length > 0) return;
      await work(item).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (errors.length > 0) throw errors[0];
}
