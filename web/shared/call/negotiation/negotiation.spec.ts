import type { AgentNegotiator } from './agent-negotiator';
import type { CustomerNegotiator } from './customer-negotiator';
import { FakePeerConnection } from './fake-peer-connection';
import { isConnected, native, NegotiationScene, settle } from './negotiation-scene';

describe('negotiation', () => {
  let scene: NegotiationScene;
  beforeEach(() => {
    scene = new NegotiationScene();
  });
  afterEach(() => scene.close());

  it('begins when both sides are there, with an offer of the agent', async () => {
    const { agent, customer } = await scene.openBoth();
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
    const [agent, customer] = [scene.openAgent('a1'), scene.openCustomer('c1')];
    await settle();
    expect(isConnected(agent, customer)).toBe(true);
    scene.service.announce();
    await settle();
    expect(FakePeerConnection.all).toHaveLength(2);
  });

  it('changes nothing when the same pages are announced again', async () => {
    const { agent, customer } = await scene.openBoth();
    scene.isAlive = true;
    scene.now += 60_000;
    scene.service.announce();
    await settle();
    expect(native(agent).restarts).toBe(0);
    expect(isConnected(agent, customer)).toBe(true);
  });

  it('restarts ICE with fresh credentials on both sides when media have stopped', async () => {
    const { agent, customer } = await scene.openBoth();
    scene.now += 60_000;
    scene.servers = [{ urls: 'turn:second' }];
    scene.service.announce();
    await settle();
    expect(native(agent).restarts).toBe(1);
    expect(isConnected(agent, customer)).toBe(true);
    for (const side of [agent, customer]) expect(native(side).configuration.iceServers).toBe(scene.servers);
    expect(FakePeerConnection.all).toHaveLength(2);
  });

  it('restarts ICE when the customer hears nothing, even if the agent does', async () => {
    const { agent, customer } = await scene.openBoth();
    scene.isAlive = true;
    scene.now += 60_000;
    customer.attempt();
    await settle();
    expect(native(agent).restarts).toBe(1);
    expect(isConnected(agent, customer)).toBe(true);
  });

  it.each(['agent', 'customer'] as const)('makes new connections after a reload of the %s', async (side) => {
    const { agent, customer } = await scene.openBoth();
    const before = native(side === 'agent' ? customer : agent);
    (side === 'agent' ? agent : customer).close();
    const reloaded = side === 'agent' ? scene.openAgent('a2') : scene.openCustomer('c2');
    scene.service.announce();
    await settle();
    const [newAgent, newCustomer] = side === 'agent' ? [reloaded, customer] : [agent, reloaded];
    expect(isConnected(newAgent as AgentNegotiator, newCustomer as CustomerNegotiator)).toBe(true);
    expect(before.signalingState).toBe('closed');
  });

  it('makes a new connection on both sides for an attempt with one', async () => {
    const { agent, customer } = await scene.openBoth();
    agent.attempt({ kind: 'create', relayOnly: true, audioOnly: false, timeoutMs: 8000 });
    await settle();
    expect(isConnected(agent, customer)).toBe(true);
    expect(FakePeerConnection.all).toHaveLength(4);
    expect(native(agent).configuration.iceTransportPolicy).toBe('relay');
  });
});
