/** One attempt to connect again. */
export interface Attempt {
  /** `restart`: new ICE credentials for the connection. `create`: a new connection. */
  kind: 'restart' | 'create';
  relayOnly: boolean;
  audioOnly: boolean;
  /** How long it may take before the next attempt. */
  timeoutMs: number;
}

const STEPS: readonly Attempt[] = [
  { kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 },
  { kind: 'restart', relayOnly: false, audioOnly: false, timeoutMs: 5000 },
  { kind: 'restart', relayOnly: true, audioOnly: false, timeoutMs: 6000 },
  { kind: 'create', relayOnly: true, audioOnly: false, timeoutMs: 8000 },
  { kind: 'create', relayOnly: false, audioOnly: true, timeoutMs: 8000 },
  { kind: 'create', relayOnly: true, audioOnly: true, timeoutMs: 8000 },
];
/** The last two take turns, because the relay itself can be what fails. */
const REPEATED = 2;

/**
 * @param failures attempts that failed since media last arrived, not counting those without a connection to the service
 * @param hasRelay whether there is a TURN server at all
 */
export function nextAttempt(failures: number, hasRelay: boolean): Attempt {
  const index =
    failures < STEPS.length ? failures : STEPS.length - REPEATED + ((failures - STEPS.length) % REPEATED);
  const step = STEPS[index] as Attempt;
  return hasRelay ? step : { ...step, relayOnly: false };
}

export function hasRelay(servers: readonly RTCIceServer[]): boolean {
  return servers.flatMap(({ urls }) => urls).some((url) => /^turns?:/.test(url));
}
