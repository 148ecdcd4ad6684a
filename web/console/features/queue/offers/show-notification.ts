/**
 * A notification of the browser, if the agent looks elsewhere and has allowed it. A click on it leads to this tab.
 * @returns closes it
 */
export function showNotification(title: string, body: string): () => void {
  if (document.visibilityState === 'visible' && document.hasFocus()) return () => undefined;
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return () => undefined;
  try {
    const notification = new Notification(title, { body, tag: 'offer', requireInteraction: true });
    notification.addEventListener('click', () => globalThis.focus());
    return () => notification.close();
  } catch {
    // Chrome on Android has only those of service workers.
    return () => undefined;
  }
}
