import type { Json } from '../http/api';
import { type Member, TestTenant } from '../builders';
import { closingSockets } from '../sockets/connect-sockets';
import type { TestSocket } from '../sockets/socket';
import type { TestApp } from '../test-app';

/** A session description of an agent. */
export const SDP_OFFER = { description: { type: 'offer', sdp: 'v=0\r\n' } };

/** Waits until the sockets have received everything that was sent before: the acknowledgement comes last. */
export const flush = (...sockets: TestSocket[]) =>
  Promise.all(sockets.map((socket) => socket.send('snapshot')));

/** The sessions of a side that a socket was told of, in their order. */
export const sessionsOf = (socket: TestSocket, participant: 'customer' | 'agent'): string[] =>
  socket
    .all('peer_ready')
    .filter((event) => event.participant === participant)
    .map(({ session }) => session as string);

/** A queue with an agent, and pages of its calls. All pages are closed after each test. */
export class SignalledCalls {
  private constructor(
    readonly tenant: TestTenant,
    readonly department: Json,
    readonly link: Json,
    readonly agent: Member,
    private readonly connect: ReturnType<typeof closingSockets>['connect'],
  ) {}

  static async create(
    test: TestApp,
    connect: ReturnType<typeof closingSockets>['connect'],
  ): Promise<SignalledCalls> {
    const tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue({ max_queue_size: 100 });
    return new SignalledCalls(
      tenant,
      department,
      link,
      await tenant.member('attendant', [department.id]),
      connect,
    );
  }

  join(): Promise<Json> {
    return this.tenant.join(this.link as { token: string });
  }

  /** A page that sends its session with the handshake. */
  page(token: string, session: string): Promise<TestSocket> {
    return this.connect(token, { auth: { token, session } });
  }

  transition(callId: string, action: string, member: Member = this.agent, body?: object): Promise<Json> {
    return member.api.post(`/api/v1/calls/${callId}/${action}`, body);
  }

  /** An assigned call with a page of the customer, and one of its agent that has joined it. */
  async assigned(customerSession = 'page-1', agentSession = 'console-1') {
    const { call_id, websocket_token } = await this.join();
    await this.transition(call_id, 'assign');
    const customer = await this.page(websocket_token, customerSession);
    const staff = await this.page(this.agent.token, agentSession);
    expect(await staff.send('join_call', { call_id })).toMatchObject({ ok: true });
    return { call_id, websocket_token, customer, staff };
  }
}
