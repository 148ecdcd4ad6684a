import type { Participant } from '../../socket-models';
import type { LocalMedia } from '../local-media';
import { AgentNegotiator } from './agent-negotiator';
import { CustomerNegotiator } from './customer-negotiator';
import { FakePeerConnection } from './fake-peer-connection';
import { FakeService } from './fake-service';
import { IceServers } from './ice-servers';

const globals = globalThis as unknown as Record<string, unknown>;

const native = (negotiator: AgentNegotiator | CustomerNegotiator) =>
  negotiator.connection?.native as unknown as FakePeerConnection;

const isConnected = (agent: AgentNegotiator, customer: CustomerNegotiator) =>
  native(agent).signalingState === 'stable' &&
  native(agent).remoteDescription?.sdp?.includes(`a=ice-ufrag:${native(customer).fragment}\r\n`) &&
  native(customer).remoteDescription?.sdp?.includes(`a=ice-ufrag:${native(agent).fragment}\r\n`);

/** Lets all steps end that are under way. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

describe('negotiation', () => {
  let service: FakeService;
  let now: number;
  let isAlive: boolean;
  let servers: RTCIceServer[];
  let negotiators: { close: () => void }[];

  beforeEach(() => {
    service = new FakeService();
    now = 100_000;
    isAlive = false;
    servers = [{ urls: 'turn:first' }];
    negotiators = [];
    FakePeerConnection.all.length = 0;
    globals['RTCPeerConnection'] = FakePeerConnection;
  });
  afterEach(() => {
    for (const negotiator of negotiators) negotiator.close();
    delete globals['RTCPeerConnection'];
  });

  /** Opens the page of one side. */
  function open(side: 'agent', session: string): AgentNegotiator;
  function open(side: 'customer', session: string): CustomerNegotiator;
  function open(side: Participant, session: string) {
    const context = {
      role: side,
      socket: service.connect(side, session).asCallSocket(),
      callId: 'call',
      session,
      media: { tracks: { audio: `${side}'s voice`, camera: null, screen: null } } as unknown as LocalMedia,
      iceServers: () => Promise.resolve(servers),
      servers: new IceServers(
        () => Promise.resolve(servers),
        () => now,
      ),
      now: () => now,
      isAlive: () => isAlive,
      onExchange: () => undefined,
      onChange: () => undefined,
    };
    const negotiator = side === 'agent' ? new AgentNegotiator(context) : new CustomerNegotiator(context);
    negotiator.start();
    negotiators.push(negotiator);
    return negotiator;
  }

  async function openBoth() {
    const [agent, customer] = [open('agent', 'a1'), open('customer', 'c1')];
    service.announce();
    await settle();
    return { agent, customer };
  }

  it('begins when both sides are there, with an offer of the agent', async () => {
    const { agent, customer } = await openBoth();
    expect(isConnected(agent, customer)).toBe(true);
    expect(FakePeerConnection.all).toHaveLength(2);
    const sounds = [agent, customer].map((side) => native(side).getTransceivers()[0]?.sender.track);
    expect(sounds).toEqual(["agent's voice", "customer's voice"]);
    expect(
      native(customer)
        .getTransceivers()
        .map(({ direction }) => direction),
    ).toEqual(Array(3).fill('sendrecv'));
  });

  it('makes one connection for a customer who asks before they are announced', async () => {
    const [agent, customer] = [open('agent', 'a1'), open('customer', 'c1')];
    await settle();
    expect(isConnected(agent, customer)).toBe(true);
    service.announce();
    await settle();
    expect(FakePeerConnection.all).toHaveLength(2);
  });

  it('changes nothing when the same pages are announced again', async () => {
    const { agent, customer } = await openBoth();
    isAlive = true;
    now += 60_000;
    service.announce();
    await settle();
    expect(native(agent).restarts).toBe(0);
    expect(isConnected(agent, customer)).toBe(true);
  });

  it('restarts ICE with fresh credentials on both sides when media have stopped', async () => {
    const { agent, customer } = await openBoth();
    now += 60_000;
    servers = [{ urls: 'turn:second' }];
    service.announce();
    await settle();
    expect(native(agent).restarts).toBe(1);
    expect(isConnected(agent, customer)).toBe(true);
    for (const side of [agent, customer]) expect(native(side).configuration.iceServers).toBe(servers);
    expect(FakePeerConnection.all).toHaveLength(2);
  });

  it('restarts ICE when the customer hears nothing, even if the agent does', async () => {
    const { agent, customer } = await openBoth();
    isAlive = true;
    now += 60_000;
    customer.attempt();
    await settle();
    expect(native(agent).restarts).toBe(1);
    expect(isConnected(agent, customer)).toBe(true);
  });

  it.each(['agent', 'customer'] as const)('makes new connections after a reload of the %s', async (side) => {
    const { agent, customer } = await openBoth();
    const before = native(side === 'agent' ? customer : agent);
    (side === 'agent' ? agent : customer).close();
    const reloaded = side === 'agent' ? open('agent', 'a2') : open('customer', 'c2');
    service.announce();
    await settle();
    const [newAgent, newCustomer] = side === 'agent' ? [reloaded, customer] : [agent, reloaded];
    expect(isConnected(newAgent as AgentNegotiator, newCustomer as CustomerNegotiator)).toBe(true);
    expect(before.signalingState).toBe('closed');
  });

  it('makes a new connection on both sides for an attempt with one', async () => {
    const { agent, customer } = await openBoth();
    agent.attempt({ kind: 'create', relayOnly: true, audioOnly: false, timeoutMs: 8000 });
    await settle();
    expect(isConnected(agent, customer)).toBe(true);
    expect(FakePeerConnection.all).toHaveLength(4);
    expect(native(agent).configuration.iceTransportPolicy).toBe('relay');
  });

  it('makes a new offer when the answer to the one before was lost, and ignores that answer when it comes late', async () => {
    const [agent, customer] = [open('agent', 'a1'), open('customer', 'c1')];
    const socket = service.connect('customer', 'c1');
    service.announce();
    await settle();
    const late = {
      type: 'answer' as const,
      sdp: `v=0\r\na=ice-ufrag:late\r\na=x-answers:${native(agent).id} 1\r\n`,
    };
    service.disconnect('customer');
    customer.close();
    now += 5000;
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    await socket.emit('signal', { description: late });
    await settle();
    expect(native(agent).signalingState).toBe('have-local-offer');
    const again = open('customer', 'c1');
    service.announce();
    await settle();
    expect(isConnected(agent, again)).toBe(true);
  });

  it('sends an offer that reached nobody again when the customer is there', async () => {
    const { agent } = await openBoth();
    service.disconnect('customer');
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    expect(agent.hasPeer).toBe(false);
    const again = open('customer', 'c1');
    service.announce();
    await settle();
    expect(isConnected(agent, again)).toBe(true);
  });

  it('keeps candidates that overtake their description, and drops those of an earlier one', async () => {
    const { agent, customer } = await openBoth();
    const stale = { candidate: 'stale', usernameFragment: 'gone' };
    const early = { candidate: 'early', usernameFragment: `${native(agent).id}-1` };
    const socket = service.connect('agent', 'a1');
    await socket.emit('signal', { candidate: stale });
    await socket.emit('signal', { candidate: early });
    await settle();
    expect(native(customer).candidates).toEqual([]);
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    expect(native(customer).candidates).toEqual([early]);
  });

  it('sends the candidates of the connection, and none of the one before', async () => {
    const { agent, customer } = await openBoth();
    native(agent).gather('host');
    await settle();
    expect(native(customer).candidates).toMatchObject([{ candidate: 'host' }]);
    const before = native(agent);
    agent.attempt({ kind: 'create', relayOnly: false, audioOnly: false, timeoutMs: 8000 });
    await settle();
    before.gather('old');
    await settle();
    expect(service.signals.map(({ candidate }) => candidate?.candidate)).not.toContain('old');
  });

  it('takes an offer of a foreign client, which is the polite peer, for a request', async () => {
    const { agent } = await openBoth();
    now += 60_000;
    await service.connect('customer', 'c1').emit('signal', { description: { type: 'offer', sdp: 'v=0' } });
    await settle();
    expect(native(agent).signalingState).toBe('have-local-offer');
    expect(native(agent).restarts).toBe(1);
  });

  it('ends the connection to the former agent when the page of another one is there', async () => {
    const { agent, customer } = await openBoth();
    const before = native(customer);
    agent.close();
    service.connect('agent', 'other');
    service.announce();
    expect(before.signalingState).toBe('closed');
    expect(customer.hasPeer).toBe(true);
  });
});
