/** Loaded into the service's process with --require: answers each message with the longest delay of its event loop. */
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION_MS = 1;

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();

process.on('message', () => {
  process.send(histogram.max / 1e6 - RESOLUTION_MS);
  histogram.reset();
});
process.channel?.unref();
