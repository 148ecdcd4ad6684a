import type { Role } from '../../../src/platform/access/roles';
import type { Answer, Api, Json } from '../http/api';
import { expectStatus, login, type Member, TestTenant } from '../builders';
import { TestSocket } from '../sockets/socket';
import type { TestedService } from '../tested-service';

/** A user whose access a test changes, in a separate tenant. */
export interface Subject {
  tenant: TestTenant;
  member: Member;
  /** The same user with another session. */
  elsewhere: Member;
  /** A queue of a department that the user is not a member of, and a call in it. */
  queue: { department: Json; link: Json };
  call: string;
}

/** A way in which a user loses access, and its expected effects. */
export interface AccessChange {
  what: string;
  role: Role;
  make: (subject: Subject) => Promise<Answer>;
  /** The path of a request that succeeds before the change, and its rejection afterwards. */
  path: (subject: Subject) => string;
  rejection: [status: number, code: string];
  /** The effect on the open socket of the user. */
  socket: 'disconnected' | 'fewer events' | 'fewer calls';
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
    rejection: [403, 'forbidden'],
    socket: 'fewer events',
  },
  {
    what: 'a deactivation',
    role: 'attendant',
    make: user({ active: false }),
    path: () => '/api/v1/users/me',
    rejection: [401, 'session_ended'],
    socket: 'disconnected',
  },
  {
    what: 'a logout',
    role: 'attendant',
    make: ({ member }) => member.api.post('/api/auth/logout'),
    path: () => '/api/v1/users/me',
    rejection: [401, 'session_ended'],
    socket: 'disconnected',
  },
  {
    what: 'a session that its user ends from another session',
    role: 'attendant',
    make: async ({ member, elsewhere }) => {
      const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
      const { id } = data.find(({ current }: Json) => current);
      return elsewhere.api.delete(`/api/v1/users/me/sessions/${id}`);
    },
    path: () => '/api/v1/users/me',
    rejection: [401, 'session_ended'],
    socket: 'disconnected',
  },
  {
    what: 'restrict_attendants',
    role: 'attendant',
    make: setting('restrict_attendants'),
    path: ({ call }) => `/api/v1/calls/${call}`,
    rejection: [404, 'not_found'],
    socket: 'fewer calls',
  },
  {
    what: 'mfa_required',
    role: 'attendant',
    make: setting('mfa_required'),
    path: () => '/api/v1/calls',
    rejection: [403, 'mfa_enrolment_required'],
    socket: 'disconnected',
  },
];

/** Creates the user for an access change. */
export async function createSubject(test: TestedService, { role }: AccessChange): Promise<Subject> {
  const tenant = await TestTenant.register(test);
  const member = await tenant.member(role);
  const elsewhere = await login(test, tenant.slug, member.email);
  const queue = await tenant.queue({ max_queue_size: 10_000 });
  const { call_id } = await tenant.join(queue.link);
  return { tenant, member, elsewhere, queue, call: call_id };
}

/** Observes the subject's access on one instance, with a socket of the subject and, if needed, one of the owner. */
export class AccessMonitor {
  private constructor(
    private readonly api: Api,
    private readonly change: AccessChange,
    private readonly subject: Subject,
    readonly socket: TestSocket,
    private readonly owner: TestSocket | undefined,
  ) {}

  /** Connects the sockets. The instance then has the session in its cache. */
  static async start(
    { url, api }: Pick<TestedService, 'url' | 'api'>,
    change: AccessChange,
    subject: Subject,
  ): Promise<AccessMonitor> {
    const socket = await TestSocket.connect(url, subject.member.token);
    const owner =
      change.socket === 'fewer events'
        ? await TestSocket.connect(url, subject.tenant.owner.token)
        : undefined;
    // The acknowledgement shows that the socket has joined its rooms; the snapshot contains earlier events.
    for (const opened of [socket, owner]) await opened?.send('snapshot');
    const watch = new AccessMonitor(api, change, subject, socket, owner);
    expectStatus(await watch.request(), 200);
    expect([change.what, await watch.socketIsRestricted()]).toEqual([change.what, false]);
    expectStatus(await watch.request(), 200);
    return watch;
  }

  request(): Promise<Answer> {
    return this.api.get(this.change.path(this.subject), { token: this.subject.member.token });
  }

  /** Whether the request is rejected as expected after the change. */
  async isRefused(): Promise<boolean> {
    const [status, code] = this.change.rejection;
    const { status: answered, body } = await this.request();
    return answered === status && body.errors.code === code;
  }

  /** Whether the open socket has the access that is expected after the change. */
  async socketIsRestricted(): Promise<boolean> {
    if (this.change.socket === 'disconnected') return !this.socket.io.connected;
    if (this.change.socket === 'fewer events') return !(await this.receivesForeignEvents());
    // A queued call cannot be joined by users who see it either, so the attempt changes nothing.
    const ack = await this.socket.send('join_call', { call_id: this.subject.call });
    return ack.error.code === 'not_found';
  }

  /** Whether the subject receives an event about the foreign queue, as the owner does. */
  private async receivesForeignEvents(): Promise<boolean> {
    const { department, link } = this.subject.queue;
    // Joins through this instance, because it may not receive events of other instances.
    const joined = await this.api.post(`/api/v1/call/${link.token}/join`, { name: 'Carla Customer' });
    expectStatus(joined, 200);
    const { position } = joined.body.data;
    const isNewEntry = ({ department_id, size }: Json) => department_id === department.id && size >= position;
    await this.owner?.waitFor('queue_updated', isNewEntry);
    // The acknowledgement arrives after all events that were sent before it.
    await this.socket.send('snapshot');
    return this.socket.all('queue_updated').some(isNewEntry);
  }

  /** Closes the sockets. */
  close(): void {
    this.socket.close();
    this.owner?.close();
  }
}
