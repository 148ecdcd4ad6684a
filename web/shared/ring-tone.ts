/** Two notes, each of so many hertz, so many seconds after the first. */
const NOTES = [
  { hertz: 660, after: 0 },
  { hertz: 880, after: 0.22 },
] as const;
const NOTE_SECONDS = 0.5;

/** The tone of a call. Its audio context runs only while it is used: a running one keeps a phone's audio hardware awake. */
export class RingTone {
  private context: AudioContext | undefined;
  private suspension: Promise<void> | undefined;
  private uses = 0;
  private isRinging = false;

  /**
   * Lets the tone sound later, if it is called in a tap or a key press.
   * @returns whether the browser allows it; if it does not yet, after the next tap or key press
   */
  unlock(): Promise<boolean> {
    return this.use(async () => {});
  }

  /**
   * Sounds once, as soon as the browser allows it.
   * @param isWanted whether it is still to sound then
   */
  async ring(isWanted: () => boolean): Promise<void> {
    if (this.isRinging) {
      // Phones interrupt the sound of a page in the background, and continue when they are asked to.
      this.context?.resume().catch(() => undefined);
      return;
    }
    this.isRinging = true;
    const rung = this.use(async (context) => {
      if (isWanted()) await sound(context);
    });
    await rung.finally(() => (this.isRinging = false));
  }

  /** @returns false if the browser has no sound, or does not allow it */
  private async use(work: (context: AudioContext) => Promise<void>): Promise<boolean> {
    const context = this.open();
    if (!context) return false;
    this.uses += 1;
    try {
      // Safari does not wait for it, and would suspend the tone that begins now.
      await this.suspension;
      await context.resume();
      if (context.state !== 'running') return false;
      await work(context);
      return true;
    } catch {
      return false;
    } finally {
      this.uses -= 1;
      if (this.uses === 0) this.suspension = context.suspend().catch(() => undefined);
    }
  }

  private open(): AudioContext | null {
    try {
      this.context ??= new AudioContext();
    } catch {
      // The browser has no sound, or no device for it at the moment.
    }
    return this.context ?? null;
  }
}

async function sound(context: AudioContext): Promise<void> {
  const start = context.currentTime;
  await Promise.all(NOTES.map(({ hertz, after }) => playNote(context, hertz, start + after)));
}

/** @returns a promise of the end of the note */
function playNote(context: AudioContext, hertz: number, at: number): Promise<unknown> {
  const oscillator = new OscillatorNode(context, { frequency: hertz, type: 'sine' });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.25, at + 0.03);
  gain.gain.exponentialRampToValueAtTime(0.001, at + NOTE_SECONDS);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + NOTE_SECONDS);
  return new Promise((resolve) => oscillator.addEventListener('ended', resolve, { once: true }));
}
