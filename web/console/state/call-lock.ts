interface LockOptions {
  /** Whether another tab must give the call up. */
  steal: boolean;
  /** Another tab has taken the call. */
  onLost: () => void;
}

/**
 * Makes this page the only one of the browser that has the call. A reload releases it. Without HTTPS there are no locks.
 * @returns releases the call; null while another tab has it
 */
export function holdCall(callId: string, { steal, onLost }: LockOptions): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => undefined);
  return new Promise((resolve) => {
    navigator.locks
      .request(`vcq-call ${callId}`, steal ? { steal } : { ifAvailable: true }, (lock) => {
        if (lock) return new Promise<void>((release) => resolve(release));
        return resolve(null);
      })
      .catch(() => {
        // The browser gives no locks: better two tabs than none. After the call was given, this does nothing.
        resolve(() => undefined);
        onLost();
      });
  });
}
