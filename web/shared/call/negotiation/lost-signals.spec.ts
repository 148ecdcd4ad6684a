import { isConnected, native, NegotiationScene, settle } from './negotiation-scene';

describe('negotiation with lost, late and foreign signals', () => {
  let scene: NegotiationScene;
  beforeEach(() => {
    scene = new NegotiationScene();
  });
  afterEach(() => scene.close());

  it('makes a new offer when the answer to the one before was lost, and ignores that answer when it comes late', async () => {
    const [agent, customer] = [scene.openAgent('a1'), scene.openCustomer('c1')];
    const socket = scene.service.connect('customer', 'c1');
    scene.service.announce();
    await settle();
    const late = {
      type: 'answer' as const,
      sdp: `v=0\r\na=ice-ufrag:late\r\na=x-answers:${native(agent).id} 1\r\n`,
    };
    scene.service.disconnect('customer');
    customer.close();
    scene.now += 5000;
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    await socket.emit('signal', { description: late });
    await settle();
    expect(native(agent).signalingState).toBe('have-local-offer');
    const again = scene.openCustomer('c1');
    scene.service.announce();
    await settle();
    expect(isConnected(agent, again)).toBe(true);
  });

  it('sends an undelivered offer again when the customer is there', async () => {
    const { agent } = await scene.openBoth();
    scene.service.disconnect('customer');
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    expect(agent.hasPeer).toBe(false);
    const again = scene.openCustomer('c1');
    scene.service.announce();
    await settle();
    expect(isConnected(agent, again)).toBe(true);
  });

  it('keeps candidates that overtake their description, and drops those of an earlier one', async () => {
    const { agent, customer } = await scene.openBoth();
    const stale = { candidate: 'stale', usernameFragment: 'gone' };
    const early = { candidate: 'early', usernameFragment: `${native(agent).id}-1` };
    const socket = scene.service.connect('agent', 'a1');
    await socket.emit('signal', { candidate: stale });
    await socket.emit('signal', { candidate: early });
    await settle();
    expect(native(customer).candidates).toEqual([]);
    agent.attempt({ kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 });
    await settle();
    expect(native(customer).candidates).toEqual([early]);
  });

  it('sends the candidates of the connection, and none of the one before', async () => {
    const { agent, customer } = await scene.openBoth();
    native(agent).gather('host');
    await settle();
    expect(native(customer).candidates).toMatchObject([{ candidate: 'host' }]);
    const before = native(agent);
    agent.attempt({ kind: 'create', relayOnly: false, audioOnly: false, timeoutMs: 8000 });
    await settle();
    before.gather('old');
    await settle();
    expect(scene.service.signals.map(({ candidate }) => candidate?.candidate)).not.toContain('old');
  });

  it('takes an offer of a foreign client, which is the polite peer, for a request', async () => {
    const { agent } = await scene.openBoth();
    scene.now += 60_000;
    await scene.service
      .connect('customer', 'c1')
      .emit('signal', { description: { type: 'offer', sdp: 'v=0' } });
    await settle();
    expect(native(agent).signalingState).toBe('have-local-offer');
    expect(native(agent).restarts).toBe(1);
  });

  it('ends the connection to the former agent when the page of another one is there', async () => {
    const { agent, customer } = await scene.openBoth();
    const before = native(customer);
    agent.close();
    scene.service.connect('agent', 'other');
    scene.service.announce();
    expect(before.signalingState).toBe('closed');
    expect(customer.hasPeer).toBe(true);
  });
});
