/** A stop that hangs is cut short after this long, so that an orchestrator need not. */
const LONGEST_STOP_MS = 30_000;

/**
 * Stops once on SIGINT or SIGTERM. npm passes a signal on that the terminal has sent to us already, so a
 * second one is normal and changes nothing.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopped: Promise<void> | undefined;
  const onSignal = () => {
    stopped ??= run(stop);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function run(stop: () => Promise<void>): Promise<void> {
  setTimeout(() => {
    process.stderr.write('The service did not stop in time.\n');
    process.exit(1);
  }, LONGEST_STOP_MS).unref();
  try {
    await stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`The service did not stop cleanly: ${String(error)}\n`);
    process.exit(1);
  }
}
