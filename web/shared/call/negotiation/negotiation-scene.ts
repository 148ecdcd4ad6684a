import type { LocalMedia } from '../local-media';
import { AgentNegotiator } from './agent-negotiator';
import { CustomerNegotiator } from './customer-negotiator';
import { FakePeerConnection } from './fake-peer-connection';
import { FakeService } from './fake-service';
import { IceServers } from './ice-servers';

type Side = AgentNegotiator | CustomerNegotiator;

const globals = globalThis as unknown as Record<string, unknown>;

/** For tests: the pages of both sides, with a fake service and fake connections. */
export class NegotiationScene {
  readonly service = new FakeService();
  now = 100_000;
  isAlive = false;
  servers: RTCIceServer[] = [{ urls: 'turn:first' }];
  private readonly sides: Side[] = [];

  constructor() {
    FakePeerConnection.all.length = 0;
    globals['RTCPeerConnection'] = FakePeerConnection;
  }

  close(): void {
    for (const side of this.sides) side.close();
    delete globals['RTCPeerConnection'];
  }

  openAgent(session: string): AgentNegotiator {
    return this.start(new AgentNegotiator(this.contextOf('agent', session)));
  }

  openCustomer(session: string): CustomerNegotiator {
    return this.start(new CustomerNegotiator(this.contextOf('customer', session)));
  }

  async openBoth() {
    const sides = { agent: this.openAgent('a1'), customer: this.openCustomer('c1') };
    this.service.announce();
    await settle();
    return sides;
  }

  private start<S extends Side>(side: S): S {
    side.start();
    this.sides.push(side);
    return side;
  }

  private contextOf(role: 'agent' | 'customer', session: string) {
    return {
      role,
      socket: this.service.connect(role, session).asCallSocket(),
      callId: 'call',
      session,
      media: { tracks: { audio: `${role}'s voice`, camera: null, screen: null } } as unknown as LocalMedia,
      iceServers: () => Promise.resolve(this.servers),
      servers: new IceServers(
        () => Promise.resolve(this.servers),
        () => this.now,
      ),
      now: () => this.now,
      isAlive: () => this.isAlive,
      onExchange: () => undefined,
      onChange: () => undefined,
    };
  }
}

/** Lets all steps end that are under way. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

export function native(side: Side): FakePeerConnection {
  return side.connection?.native as unknown as FakePeerConnection;
}

/** Each side has the newest description of the other. */
export function isConnected(agent: AgentNegotiator, customer: CustomerNegotiator): boolean {
  const has = (side: Side, other: Side) =>
    native(side).remoteDescription?.sdp?.includes(`a=ice-ufrag:${native(other).fragment}\r\n`) ?? false;
  return native(agent).signalingState === 'stable' && has(agent, customer) && has(customer, agent);
}
