import type { Role } from '../../../src/platform/access/roles';
import type { Answer, Api, Json } from '../http/api';
import { expectStatus, login, type Member, TestTenant } from '../builders';
import { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';

/** Somebody whose access is about to change, in a tenant of their own. */
export interface Subject {
  tenant: TestTenant;
  member: Member;
  /** Another session of theirs. */
  elsewhere: Member;
  /** A queue that is none of theirs, and somebody who waits in it. */
  queue: { department: Json; link: Json };
  call: string;
}

export interface AccessChange {
  what: string;
  role: Role;
  make: (subject: Subject) => Promise<Answer>;
  /** What they get before, and how it is refused after. */
  path: (subject: Subject) => string;
  refusal: [status: number, code: string];
  /** What becomes of their open socket. */
  socket: 'cut' | 'hears less' | 'sees less';
}

const setting =
  (name: string) =>
  ({ tenant }: Subject) =>
    tenant.owner.api.put('/api/v1/tenant', { [name]: true });
const user =
  (change: Json) =>
  ({ tenant, member }: Subject) =>
    tenant.owner.api.put(`/api/v1/users/${member.id}`, change);

export const ACCESS_CHANGES: AccessChange[] = [
  {
    what: 'a lower role',
    role: 'supervisor',
    make: user({ role: 'attendant' }),
    path: () => '/api/v1/users',
    refusal: [403, 'forbidden'],
    socket: 'hears less',
  },
  {
    what: 'a deactivation',
    role: 'attendant',
    make: user({ active: false }),
    path: () => '/api/v1/users/me',
    refusal: [401, 'session_ended'],
    socket: 'cut',
  },
  {
    what: 'a logout',
    role: 'attendant',
    make: ({ member }) => member.api.post('/api/auth/logout'),
    path: () => '/api/v1/users/me',
    refusal: [401, 'session_ended'],
    socket: 'cut',
  },
  {
    what: 'a session that its user ends from another one',
    role: 'attendant',
    make: async ({ member, elsewhere }) => {
      const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
      const { id } = data.find(({ current }: Json) => current);
      return elsewhere.api.delete(`/api/v1/users/me/sessions/${id}`);
    },
    path: () => '/api/v1/users/me',
    refusal: [401, 'session_ended'],
    socket: 'cut',
  },
  {
    what: 'restrict_attendants',
    role: 'attendant',
    make: setting('restrict_attendants'),
    path: ({ call }) => `/api/v1/calls/${call}`,
    refusal: [404, 'not_found'],
    socket: 'sees less',
  },
  {
    what: 'mfa_required',
    role: 'attendant',
    make: setting('mfa_required'),
    path: () => '/api/v1/calls',
    refusal: [403, 'mfa_enrolment_required'],
    socket: 'cut',
  },
];

export async function subjectOf(test: TestApp, { role }: AccessChange): Promise<Subject> {
  const tenant = await TestTenant.register(test);
  const member = await tenant.member(role);
  const elsewhere = await login(test, tenant.slug, member.email);
  const queue = await tenant.queue({ max_queue_size: 10_000 });
  const { call_id } = await tenant.join(queue.link);
  return { tenant, member, elsewhere, queue, call: call_id };
}

/** An instance, with the subject's socket on it, and one of the owner's who hears everything. */
export class Watch {
  private constructor(
    private readonly api: Api,
    private readonly change: AccessChange,
    private readonly subject: Subject,
    readonly socket: TestSocket,
    private readonly owner: TestSocket | undefined,
  ) {}

  /** The instance knows the session now, and would believe for a while what it knows. */
  static async begin(
    { url, api }: Pick<TestApp, 'url' | 'api'>,
    change: AccessChange,
    subject: Subject,
  ): Promise<Watch> {
    const socket = await TestSocket.connect(url, subject.member.token);
    const owner =
      change.socket === 'hears less' ? await TestSocket.connect(url, subject.tenant.owner.token) : undefined;
    // Answered once the socket is in its rooms; what was sent there before would be in its second snapshot.
    for (const opened of [socket, owner]) await opened?.send('snapshot');
    const watch = new Watch(api, change, subject, socket, owner);
    expectStatus(await watch.request(), 200);
    expect([change.what, await watch.hasSettled()]).toEqual([change.what, false]);
    expectStatus(await watch.request(), 200);
    return watch;
  }

  request(): Promise<Answer> {
    return this.api.get(this.change.path(this.subject), { token: this.subject.member.token });
  }

  /** Whether the request is refused as it should be from now on. */
  async isRefused(): Promise<boolean> {
    const [status, code] = this.change.refusal;
    const { status: answered, body } = await this.request();
    return answered === status && body.errors.code === code;
  }

  /** Whether the open socket is where it should be from now on. */
  async hasSettled(): Promise<boolean> {
    if (this.change.socket === 'cut') return !this.socket.io.connected;
    if (this.change.socket === 'hears less') return !(await this.hears());
    // A call that waits cannot be joined by those who see it, either: trying changes nothing.
    const ack = await this.socket.send('join_call', { call_id: this.subject.call });
    return ack.error.code === 'not_found';
  }

  /** Whether the subject is told of one more in a line that is none of theirs, as the owner is. */
  private async hears(): Promise<boolean> {
    const { department, link } = this.subject.queue;
    // Through this instance, which may hear of nothing that happens on another.
    const joined = await this.api.post(`/api/v1/call/${link.token}/join`, { name: 'Carla Customer' });
    expectStatus(joined, 200);
    const { position } = joined.body.data;
    const told = ({ department_id, size }: Json) => department_id === department.id && size >= position;
    await this.owner?.waitFor('queue_updated', told);
    // Its answer comes after everything that was sent before it.
    await this.socket.send('snapshot');
    return this.socket.all('queue_updated').some(told);
  }

  end(): void {
    this.socket.close();
    this.owner?.close();
  }
}
