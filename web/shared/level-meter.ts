import type { Unsubscribe } from './emitter';

const INTERVAL_MS = 100;

/** Tells 10 times a second how loud the track is, 0 to 1. Has no effect where the browser has no AudioContext. */
export function meterLevel(track: MediaStreamTrack, listener: (level: number) => void): Unsubscribe {
  if (typeof AudioContext === 'undefined') return () => undefined;
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 512 });
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    listener(levelOf(samples));
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** @param samples of -1 to 1. @returns 0 at -60 dB and below, 1 at full scale */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const decibels = 10 * Math.log10(power);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
