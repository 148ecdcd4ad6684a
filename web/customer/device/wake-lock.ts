/** Keeps the screen on while the page is in the foreground. @returns how to end it */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  const request = async () => {
    if (isOver || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (isOver) await lock.release();
    } catch {
      // Refused, for example because of a low battery.
    }
  };
  // The browser ends the lock when the page is hidden.
  const onVisible = () => void request();
  document.addEventListener('visibilitychange', onVisible);
  void request();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onVisible);
    lock?.release().catch(() => undefined);
  };
}
