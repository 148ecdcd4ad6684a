/** Two notes, each of so many hertz, so many seconds after the first. */
const NOTES = [
  { hertz: 660, after: 0 },
  { hertz: 880, after: 0.22 },
] as const;

/** Rings once. The context must be running, which browsers allow after the person has touched the page. */
export function playRing(context: AudioContext): void {
  for (const { hertz, after } of NOTES) playNote(context, hertz, context.currentTime + after);
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
