/** The time between two batches of sockets that are disconnected. */
export const DISCONNECT_INTERVAL_MS = 100;
/** Sockets that another instance can establish in this time without delaying its calls, as measured. */
const MIN_BATCH_SIZE = 50;

/**
 * How many sockets are disconnected at a time: few enough for the instances that they reconnect to, and as many as it takes
 * to disconnect all of them in time.
 */
export function disconnectBatchSize(socketCount: number, maxDurationMs: number): number {
  const batches = Math.max(1, Math.floor(maxDurationMs / DISCONNECT_INTERVAL_MS));
  return Math.max(MIN_BATCH_SIZE, Math.ceil(socketCount / batches));
}
