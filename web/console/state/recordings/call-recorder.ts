import { FRAME_RATE } from './frame-rate';

const WIDTH = 1280;
const HEIGHT = 720;
/** A reload loses at most this much. */
const CHUNK_MS = 2000;
const GESTURES = ['pointerup', 'keydown'] as const;
const TYPES = ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'];

export function canRecord(): boolean {
  return findType() !== undefined;
}

/**
 * Records both voices and the customer's picture. Picture and sound are mixed first, because MediaRecorder stops when a
 * track of its stream is replaced, as every reconnection does.
 */
export class CallRecorder {
  private readonly context = new AudioContext();
  private readonly mixed = this.context.createMediaStreamDestination();
  private readonly canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  private readonly video = Object.assign(document.createElement('video'), { muted: true, playsInline: true });
  private readonly recorder: MediaRecorder;
  private readonly sources = new Map<MediaStreamTrack, AudioNode>();
  private readonly timer = new Worker(new URL('./frame-timer.worker.ts', import.meta.url), {
    type: 'module',
  });
  private readonly playSound = () => void this.context.resume();

  /** @param onChunk gets the recording piece by piece */
  constructor(onChunk: (chunk: Blob) => void) {
    const picture = this.canvas.captureStream(FRAME_RATE).getVideoTracks();
    const stream = new MediaStream([...picture, ...this.mixed.stream.getAudioTracks()]);
    this.recorder = new MediaRecorder(stream, { mimeType: findType() });
    this.recorder.addEventListener('dataavailable', ({ data }) => onChunk(data));
    this.timer.addEventListener('message', () => this.draw());
    // After a reload, a browser may allow sound only once the page is used.
    for (const type of GESTURES) addEventListener(type, this.playSound);
    this.playSound();
    this.draw();
    this.recorder.start(CHUNK_MS);
  }

  /** What is recorded from now on. */
  follow(sounds: readonly (MediaStreamTrack | null | undefined)[], picture: MediaStream | null): void {
    for (const [track, source] of this.sources) {
      if (sounds.includes(track)) continue;
      source.disconnect();
      this.sources.delete(track);
    }
    for (const track of sounds) {
      if (!track || this.sources.has(track)) continue;
      const source = this.context.createMediaStreamSource(new MediaStream([track]));
      source.connect(this.mixed);
      this.sources.set(track, source);
    }
    if (this.video.srcObject === picture) return;
    this.video.srcObject = picture;
    if (picture) this.video.play().catch(() => undefined);
  }

  /** Afterwards it has passed on its last chunk. */
  async stop(): Promise<void> {
    this.timer.terminate();
    for (const type of GESTURES) removeEventListener(type, this.playSound);
    if (this.recorder.state !== 'inactive') {
      const stopped = new Promise((resolve) =>
        this.recorder.addEventListener('stop', resolve, { once: true }),
      );
      this.recorder.stop();
      await stopped;
    }
    await this.context.close();
    this.video.srcObject = null;
  }

  private draw(): void {
    const drawing = this.canvas.getContext('2d', { alpha: false });
    if (!drawing) return;
    drawing.fillRect(0, 0, WIDTH, HEIGHT);
    const { videoWidth, videoHeight } = this.video;
    if (!this.video.srcObject || videoWidth === 0) return;
    const scale = Math.min(WIDTH / videoWidth, HEIGHT / videoHeight);
    const [width, height] = [videoWidth * scale, videoHeight * scale];
    drawing.drawImage(this.video, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  }
}

/** @returns the type of recordings, without the codecs */
export function recordingType(): string {
  return findType()?.split(';', 1)[0] ?? '';
}

function findType(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}
