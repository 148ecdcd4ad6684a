import { signal } from '@preact/signals';

const RING_INTERVAL_MS = 2500;
/** Two notes, each of so many hertz, so many seconds after the first. */
const NOTES = [
  { hertz: 660, after: 0 },
  { hertz: 880, after: 0.22 },
] as const;
const VIBRATION_MS = [400, 200, 400];

export interface CallNotice {
  title: string;
  body: string;
}

/** Tells a customer who looks elsewhere that they are called or invited: by sound, vibration and a notification. */
export class Attention {
  /** Whether the browser lets the page play sound: only after the customer has touched it. */
  readonly canRing = signal(false);
  private context: AudioContext | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private notification: Notification | undefined;

  /** Call it in a tap or a key press. */
  unlock(): void {
    if (typeof AudioContext === 'undefined') return;
    this.context ??= new AudioContext();
    this.context.resume().then(
      () => (this.canRing.value = this.context?.state === 'running'),
      () => undefined,
    );
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
    this.alert();
    this.timer = setInterval(() => this.alert(), RING_INTERVAL_MS);
    if (document.visibilityState === 'hidden') this.notify(notice);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.notification?.close();
    this.notification = undefined;
  }

  private alert(): void {
    // Browsers refuse vibration before the first tap, and say so on the console.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
    const { context } = this;
    if (context?.state !== 'running') {
      // Phones interrupt the sound of a page in the background.
      context?.resume().catch(() => undefined);
      return;
    }
    for (const { hertz, after } of NOTES) playNote(context, hertz, context.currentTime + after);
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

function playNote(context: AudioContext, hertz: number, at: number): void {
  const oscillator = new OscillatorNode(context, { frequency: hertz, type: 'sine' });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.25, at + 0.03);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.5);
}
