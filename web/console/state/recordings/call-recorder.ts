import { FRAME_RATE } from './frame-rate';
import { areasOf, fitInto } from './picture-layout.rules';

const SIZE = { width: 1280, height: 720 };
/** A reload loses at most this much. */
const CHUNK_MS = 2000;
const GESTURES = ['pointerup', 'keydown'] as const;
const TYPES = ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4'];

export function canRecord(): boolean {
  return findType() !== undefined;
}

type Track = MediaStreamTrack | null | undefined;

/** What the two people see and hear. */
export interface RecordedMedia {
  sounds: readonly Track[];
  people: readonly Track[];
  screen: Track;
}

/** A picture that is drawn into the recording, with the element that decodes it. */
interface Picture {
  track: MediaStreamTrack;
  video: HTMLVideoElement;
}

/**
 * Records both voices, both people and a shared screen, in one picture. Picture and sound are mixed first, because
 * MediaRecorder stops when a track of its stream is replaced, as every reconnection does.
 */
export class CallRecorder {
  private readonly context = new AudioContext();
  private readonly mixed = this.context.createMediaStreamDestination();
  private readonly canvas = Object.assign(document.createElement('canvas'), SIZE);
  private people: Picture[] = [];
  private screen: Picture[] = [];
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
  follow({ sounds, people, screen }: RecordedMedia): void {
    this.followSounds(sounds);
    this.people = followPictures(this.people, people);
    this.screen = followPictures(this.screen, [screen]);
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
    this.follow({ sounds: [], people: [], screen: null });
  }

  private followSounds(sounds: readonly Track[]): void {
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
  }

  private draw(): void {
    const drawing = this.canvas.getContext('2d', { alpha: false });
    if (!drawing) return;
    drawing.fillRect(0, 0, SIZE.width, SIZE.height);
    // A picture that has not arrived yet takes no place.
    const [screen, people] = [this.screen, this.people].map((pictures) =>
      pictures.filter(({ video }) => video.videoWidth > 0),
    ) as [Picture[], Picture[]];
    const areas = areasOf(SIZE, people.length, screen.length > 0);
    for (const [index, { video }] of [...screen, ...people].entries()) {
      const area = areas[index];
      if (!area) continue;
      const { x, y, width, height } = fitInto(area, { width: video.videoWidth, height: video.videoHeight });
      drawing.drawImage(video, x, y, width, height);
    }
  }
}

/** @returns the pictures of the tracks: those that were shown before keep their element, so that nothing flickers */
function followPictures(before: Picture[], tracks: readonly Track[]): Picture[] {
  for (const { track, video } of before) if (!tracks.includes(track)) video.srcObject = null;
  return tracks
    .filter((track) => !!track)
    .map((track) => before.find((each) => each.track === track) ?? { track, video: videoOf(track) });
}

function videoOf(track: MediaStreamTrack): HTMLVideoElement {
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true });
  video.srcObject = new MediaStream([track]);
  video.play().catch(() => undefined);
  return video;
}

/** @returns the type of recordings, without the codecs */
export function recordingType(): string {
  return findType()?.split(';', 1)[0] ?? '';
}

function findType(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}
