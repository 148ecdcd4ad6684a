// Signals of the size that browsers send. Media are not sent: they go past the service.

const LINES = (count) => Array.from({ length: count }, (_, n) => `a=rtpmap:${n} load/90000\r\n`).join('');
const SDP = { offer: `v=0\r\n${LINES(100)}`, answer: `v=0\r\n${LINES(70)}` };
/** Of each side. */
const CANDIDATES = 6;

/** @returns the signal and the key by which its receiver knows it */
export function description(callId, type) {
  return { key: `${callId} signal ${type}`, signal: { description: { type, sdp: SDP[type] } } };
}

/** @param side customer or agent */
export function candidates(callId, side) {
  return Array.from({ length: CANDIDATES }, (_, n) => {
    const candidate = `candidate:${side}${n} 1 udp 2122260223 192.0.2.1 ${50_000 + n} typ host generation 0`;
    return {
      key: `${callId} signal ${candidate}`,
      signal: { candidate: { candidate, sdpMid: '0', sdpMLineIndex: 0 } },
    };
  });
}

/** @returns the key of a received signal */
export const keyOfSignal = ({ call_id, description, candidate }) =>
  `${call_id} signal ${description?.type ?? candidate?.candidate}`;
