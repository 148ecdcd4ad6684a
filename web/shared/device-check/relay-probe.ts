import type { RelayMeasurement } from './network-level';

const DURATION_MS = 10_000;
const CONNECT_MS = 5000;
/** The last packets get this long to come back. */
const DRAIN_MS = 1000;
const PACKET_BYTES = 1000;
/** 40 packets a second, sent and echoed: 640 kbit/s. */
const INTERVAL_MS = 25;

/** Sends packets from one connection of this page to another, both through the relay, and counts what comes back. */
export async function measureRelay(
  iceServers: () => Promise<RTCIceServer[]>,
  signal?: AbortSignal,
): Promise<RelayMeasurement> {
  const startedAt = performance.now();
  const configuration: RTCConfiguration = { iceServers: await iceServers(), iceTransportPolicy: 'relay' };
  if (signal?.aborted) return { isConnected: false, sent: 0, roundTrips: [] };
  const near = new RTCPeerConnection(configuration);
  const far = new RTCPeerConnection(configuration);
  try {
    const channel = near.createDataChannel('check', { ordered: false, maxRetransmits: 0 });
    far.addEventListener('datachannel', ({ channel: echo }) => {
      echo.addEventListener(
        'message',
        ({ data }) => echo.readyState === 'open' && echo.send(data as ArrayBuffer),
      );
    });
    await introduce(near, far);
    const isConnected = await opened(channel, signal);
    if (!isConnected) return { isConnected, sent: 0, roundTrips: [] };
    return { isConnected, ...(await exchange(channel, startedAt + DURATION_MS, signal)) };
  } finally {
    near.close();
    far.close();
  }
}

async function introduce(near: RTCPeerConnection, far: RTCPeerConnection): Promise<void> {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate) to.addIceCandidate(candidate).catch(() => undefined);
    });
  }
  // Candidates follow only after the local description, and the other side has it by then.
  const offer = await near.createOffer();
  await far.setRemoteDescription(offer);
  const answer = await far.createAnswer();
  await near.setLocalDescription(offer);
  await near.setRemoteDescription(answer);
  await far.setLocalDescription(answer);
}

function opened(channel: RTCDataChannel, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CONNECT_MS, false);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    channel.addEventListener('open', () => end(true));
    signal?.addEventListener('abort', () => end(false));
  });
}

function exchange(
  channel: RTCDataChannel,
  until: number,
  signal?: AbortSignal,
): Promise<Omit<RelayMeasurement, 'isConnected'>> {
  const roundTrips: number[] = [];
  let sent = 0;
  channel.binaryType = 'arraybuffer';
  channel.addEventListener('message', ({ data }) => {
    roundTrips.push(performance.now() - new Float64Array(data as ArrayBuffer, 0, 1)[0]!);
  });
  const timer = setInterval(() => {
    if (channel.readyState !== 'open') return;
    const packet = new ArrayBuffer(PACKET_BYTES);
    new Float64Array(packet, 0, 1)[0] = performance.now();
    channel.send(packet);
    sent++;
  }, INTERVAL_MS);
  return new Promise((resolve) => {
    const end = () => resolve({ sent, roundTrips });
    const stop = () => {
      clearInterval(timer);
      setTimeout(end, DRAIN_MS);
    };
    const left = setTimeout(stop, Math.max(0, until - performance.now() - DRAIN_MS));
    signal?.addEventListener('abort', () => {
      clearTimeout(left);
      clearInterval(timer);
      end();
    });
  });
}
