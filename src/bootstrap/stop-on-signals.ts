/** A shutdown that hangs is aborted after this time, besides DRAIN_SECONDS, before an orchestrator kills the process. */
const STOP_TIMEOUT_MS = 40_000;

/**
 * Stops the service on the first SIGINT or SIGTERM. Further signals are ignored: npm forwards signals that the terminal
 * has already sent to this process.
 * @param drainMs how much longer the shutdown may take
 */
export function stopOnSignals(stop: () => Promise<void>, drainMs: () => number): void {
  let stopped: Promise<void> | undefined;
  const onSignal = () => {
    stopped ??= run(stop, drainMs());
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function run(stop: () => Promise<void>, drainMs: number): Promise<void> {
  setTimeout(() => {
    process.stderr.write('The service did not stop in time.\n');
    process.exit(1);
  }, STOP_TIMEOUT_MS + drainMs).unref();
  try {
    await stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`The service did not stop cleanly: ${String(error)}\n`);
    process.exit(1);
  }
}
