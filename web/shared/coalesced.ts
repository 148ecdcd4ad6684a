/**
 * Makes calls of `task` while it runs into one more run after it.
 * @param task never rejects; its result tells whether that run is still wanted
 */
export function coalesced(task: () => Promise<boolean>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    do isWanted = false;
    while ((await task()) && isWanted);
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
