import { FRAME_RATE } from './frame-rate';

// A timer of a background tab is slowed down to 1 Hz; that of a worker is not.
setInterval(() => postMessage(null), 1000 / FRAME_RATE);
