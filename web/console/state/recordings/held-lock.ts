/** Releases a lock, and waits until another request can get it. */
export type Release = () => Promise<unknown>;

/**
 * Takes a lock that all pages of this browser share; a reload releases it.
 * @returns what releases it, or null while another page holds it
 */
export function holdLock(name: string): Promise<Release | null> {
  // Without HTTPS there are no locks.
  if (!navigator.locks) return Promise.resolve(() => Promise.resolve());
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock ? new Promise<void>((release) => resolve(() => (release(), held))) : resolve(null),
    );
    held.catch(reject);
  });
}
