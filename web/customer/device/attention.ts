import { signal } from '@preact/signals';
import { RingTone } from '../../shared/ring-tone';

const RING_INTERVAL_MS = 2500;
const VIBRATION_MS = [400, 200, 400];

export interface CallNotice {
  title: string;
  body: string;
}

/** Tells a customer who looks elsewhere that they are called or invited: by sound, vibration and a notification. */
export class Attention {
  /** Whether the browser lets the page play sound: only after the customer has touched it. */
  readonly canRing = signal(false);
  private readonly tone = new RingTone();
  private timer: ReturnType<typeof setInterval> | undefined;
  private notification: Notification | undefined;

  /** Call it in a tap or a key press. */
  unlock(): void {
    void this.tone.unlock().then((canRing) => (this.canRing.value = canRing));
  }

  /** As unlock, and asks for notifications. */
  async askToNotify(): Promise<void> {
    this.unlock();
    if ('Notification' in globalThis && Notification.permission === 'default') {
      await Notification.requestPermission().catch(() => 'denied');
    }
  }

  /** Until stop(). */
  start(notice: CallNotice): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.alert(), RING_INTERVAL_MS);
    this.alert();
    if (document.visibilityState === 'hidden') this.notify(notice);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.notification?.close();
    this.notification = undefined;
  }

  private alert(): void {
    // Browsers refuse vibration and sound before the first tap, and say so on the console.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
    if (navigator.userActivation?.hasBeenActive ?? true) void this.tone.ring(() => this.timer !== undefined);
  }

  private notify({ title, body }: CallNotice): void {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    try {
      this.notification = new Notification(title, { body, tag: 'called', requireInteraction: true });
      this.notification.addEventListener('click', () => globalThis.focus());
    } catch {
      // Chrome on Android has only those of service workers.
    }
  }
}
