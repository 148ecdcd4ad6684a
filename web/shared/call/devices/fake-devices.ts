/** For tests: a track that can end. */
export class FakeTrack extends EventTarget {
  enabled = true;
  muted = false;
  contentHint = '';
  readyState: 'live' | 'ended' = 'live';

  constructor(
    readonly kind: 'audio' | 'video',
    readonly label = '',
  ) {
    super();
  }

  getSettings(): MediaTrackSettings {
    return {};
  }

  stop(): void {
    this.readyState = 'ended';
  }

  /** The device is gone. */
  end(): void {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

/** For tests: devices that can be missing, refused, or used by another program. */
export class FakeDevices extends EventTarget {
  /** The name of the error, by kind. */
  problems: { audio?: string; video?: string } = {};
  readonly requests: MediaStreamConstraints[] = [];
  readonly tracks: FakeTrack[] = [];

  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream> {
    this.requests.push(constraints);
    const kinds = (['audio', 'video'] as const).filter((kind) => constraints[kind]);
    const problem = kinds.map((kind) => this.problems[kind]).find((name) => name !== undefined);
    if (problem) return Promise.reject(new DOMException('', problem));
    const tracks = kinds.map((kind) => new FakeTrack(kind));
    this.tracks.push(...tracks);
    return Promise.resolve({ getTracks: () => tracks } as unknown as MediaStream);
  }

  enumerateDevices(): Promise<MediaDeviceInfo[]> {
    return Promise.resolve([]);
  }

  asMediaDevices(): MediaDevices {
    return this as unknown as MediaDevices;
  }
}
