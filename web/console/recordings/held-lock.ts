/**
 * Takes a lock that all pages of this browser share; a reload releases it.
 * @returns what releases it, or null while another page holds it
 */
export function holdLock(name: string): Promise<(() => void) | null> {
  // Without HTTPS there are no locks.
  if (!navigator.locks) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) =>
      lock ? new Promise<void>((release) => resolve(release)) : resolve(null);
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
}
