const WIDTH = 1280;
const HEIGHT = 720;
const FRAMERATE = 15;
const TYPES = ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'];

export function canRecord(): boolean {
  return recordingType() !== undefined;
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
  private readonly parts: Blob[] = [];
  private readonly sources = new Map<MediaStreamTrack, AudioNode>();
  private readonly timer: ReturnType<typeof setInterval>;

  constructor() {
    const picture = this.canvas.captureStream(FRAMERATE).getVideoTracks();
    const stream = new MediaStream([...picture, ...this.mixed.stream.getAudioTracks()]);
    this.recorder = new MediaRecorder(stream, { mimeType: recordingType() });
    this.recorder.addEventListener('dataavailable', ({ data }) => this.parts.push(data));
    this.timer = setInterval(() => this.draw(), 1000 / FRAMERATE);
    this.draw();
    this.recorder.start(5000);
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

  async stop(): Promise<Blob> {
    clearInterval(this.timer);
    if (this.recorder.state !== 'inactive') {
      const stopped = new Promise((resolve) =>
        this.recorder.addEventListener('stop', resolve, { once: true }),
      );
      this.recorder.stop();
      await stopped;
    }
    await this.context.close();
    this.video.srcObject = null;
    return new Blob(this.parts, { type: this.recorder.mimeType });
  }

  private draw(): void {
    const drawing = this.canvas.getContext('2d');
    if (!drawing) return;
    drawing.fillRect(0, 0, WIDTH, HEIGHT);
    const { videoWidth, videoHeight } = this.video;
    if (!this.video.srcObject || videoWidth === 0) return;
    const scale = Math.min(WIDTH / videoWidth, HEIGHT / videoHeight);
    const [width, height] = [videoWidth * scale, videoHeight * scale];
    drawing.drawImage(this.video, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
  }
}

function recordingType(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}
