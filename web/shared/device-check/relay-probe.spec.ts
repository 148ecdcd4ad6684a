import { measureRelay } from './relay-probe';

const SERVERS = [{ urls: 'turn:turn.example.com' }];
const LONGEST_MS = 10_000;
const MAX_BITS_PER_SECOND = 1_000_000;

/** One end of a channel, which delivers at once what the other one sends. */
class FakeChannel extends EventTarget {
  readyState = 'connecting';
  binaryType = '';
  sentBytes = 0;
  other?: FakeChannel;

  open(): void {
    this.readyState = 'open';
    this.dispatchEvent(new Event('open'));
  }

  send(data: ArrayBuffer): void {
    this.sentBytes += data.byteLength;
    this.other?.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

let connections: FakeConnection[];
let isReachable: boolean;

/** The second one to be made gets the other end of the channel of the first one. */
class FakeConnection extends EventTarget {
  readonly channel = new FakeChannel();
  isClosed = false;

  constructor(readonly configuration: RTCConfiguration) {
    super();
    connections.push(this);
  }

  createDataChannel = () => this.channel;
  createOffer = async () => ({ type: 'offer' });
  createAnswer = async () => ({ type: 'answer' });
  setRemoteDescription = async () => undefined;

  async setLocalDescription(): Promise<void> {
    const [near, far] = connections;
    if (!isReachable || this !== far || !near) return;
    near.channel.other = far.channel;
    far.channel.other = near.channel;
    far.dispatchEvent(Object.assign(new Event('datachannel'), { channel: far.channel }));
    for (const { channel } of [far, near]) setTimeout(() => channel.open(), 100);
  }

  close(): void {
    this.isClosed = true;
  }
}

describe('measureRelay', () => {
  const { RTCPeerConnection } = globalThis;

  beforeEach(() => {
    connections = [];
    isReachable = true;
    jest.useFakeTimers();
    globalThis.RTCPeerConnection = FakeConnection as unknown as typeof RTCPeerConnection;
  });
  afterEach(() => {
    jest.useRealTimers();
    globalThis.RTCPeerConnection = RTCPeerConnection;
  });

  it('takes at most 10 seconds and 1 Mbit/s, through the relay alone', async () => {
    const measuring = measureRelay(async () => SERVERS);
    await jest.advanceTimersByTimeAsync(LONGEST_MS);
    const { isConnected, sent, roundTrips } = await measuring;
    expect(isConnected).toBe(true);
    expect(sent).toBeGreaterThan(100);
    expect(roundTrips).toHaveLength(sent);
    const bytes = connections.map(({ channel }) => channel.sentBytes);
    const seconds = LONGEST_MS / 1000;
    expect((bytes.reduce((sum, count) => sum + count, 0) * 8) / seconds).toBeLessThanOrEqual(
      MAX_BITS_PER_SECOND,
    );
    expect(connections.map(({ configuration }) => configuration)).toEqual(
      connections.map(() => ({ iceServers: SERVERS, iceTransportPolicy: 'relay' })),
    );
    expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it('sends nothing when the relay cannot be reached, or the check was ended', async () => {
    isReachable = false;
    const measuring = measureRelay(async () => SERVERS);
    await jest.advanceTimersByTimeAsync(LONGEST_MS);
    expect(await measuring).toEqual({ isConnected: false, sent: 0, roundTrips: [] });

    isReachable = true;
    connections = [];
    expect(await measureRelay(async () => SERVERS, AbortSignal.abort())).toMatchObject({ sent: 0 });
    expect(connections).toEqual([]);
  });
});
