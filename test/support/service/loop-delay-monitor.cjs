/** Loaded into the service's process with --require: answers each message with the longest delay of its event loop. */
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION_MS = 1;
/** Within this time a timer of the monitor has run, unless the loop is blocked. */
const TICK_MS = 3 * RESOLUTION_MS;

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

/** Takes the delay, null if nothing was recorded: then the monitor does not work. */
function answer() {
  const delay = histogram.count > 0 ? histogram.max / 1e6 - RESOLUTION_MS : null;
  histogram.reset();
  // Delays are measured from the next timer on.
  setTimeout(() => process.send(delay), TICK_MS);
}

// A delay is recorded by the next timer, which may come after the message.
process.on('message', () => setTimeout(answer, TICK_MS));
process.channel?.unref();
