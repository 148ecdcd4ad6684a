// Uses a whole processor at the lowest priority until its parent process ends.
import { runAtLowestPriority } from './low-priority.mjs';

const SLICE_MS = 10;

await runAtLowestPriority();
process.on('disconnect', () => process.exit());
spin();

function spin() {
  for (const end = performance.now() + SLICE_MS; performance.now() < end;);
  setImmediate(spin);
}
