interface FakeTransceiver {
  direction: string;
  currentDirection: string | null;
  sender: { track: unknown; replaceTrack: (track: unknown) => Promise<void> };
  receiver: { track: EventTarget & { kind: string; muted: boolean } };
}

/** For tests: descriptions have only what the negotiation reads. */
export class FakePeerConnection extends EventTarget {
  static readonly all: FakePeerConnection[] = [];

  readonly id = String(1000 + FakePeerConnection.all.length);
  signalingState = 'stable';
  connectionState = 'new';
  localDescription: RTCSessionDescriptionInit | null = null;
  remoteDescription: RTCSessionDescriptionInit | null = null;
  readonly candidates: RTCIceCandidateInit[] = [];
  /** Those of each call of `createOffer` that restarted ICE. */
  restarts = 0;
  private version = 0;
  private readonly transceivers: FakeTransceiver[] = [];

  constructor(public configuration: RTCConfiguration) {
    super();
    FakePeerConnection.all.push(this);
  }

  /** Changes with each restart. */
  get fragment(): string {
    return `${this.id}-${this.restarts}`;
  }

  getConfiguration(): RTCConfiguration {
    return this.configuration;
  }

  setConfiguration(configuration: RTCConfiguration): void {
    this.configuration = configuration;
  }

  addTransceiver(kind: string): void {
    const sender = {
      track: null as unknown,
      replaceTrack: (track: unknown) => {
        sender.track = track;
        return Promise.resolve();
      },
    };
    const track = Object.assign(new EventTarget(), { kind, muted: true });
    this.transceivers.push({ direction: 'recvonly', currentDirection: null, sender, receiver: { track } });
  }

  getTransceivers(): FakeTransceiver[] {
    return this.transceivers;
  }

  createOffer({ iceRestart }: { iceRestart: boolean }): Promise<RTCSessionDescriptionInit> {
    if (iceRestart) this.restarts++;
    return Promise.resolve(this.describe('offer'));
  }

  createAnswer(): Promise<RTCSessionDescriptionInit> {
    return Promise.resolve(this.describe('answer'));
  }

  setLocalDescription(description: RTCSessionDescriptionInit): Promise<void> {
    this.localDescription = description;
    this.signalingState = description.type === 'offer' ? 'have-local-offer' : 'stable';
    return Promise.resolve();
  }

  setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
    const isExpected = description.type === 'offer' || this.signalingState === 'have-local-offer';
    if (!isExpected) return Promise.reject(new DOMException('', 'InvalidStateError'));
    if (description.type === 'offer' && this.transceivers.length === 0) {
      for (const kind of ['audio', 'video', 'video']) this.addTransceiver(kind);
    }
    this.remoteDescription = description;
    this.signalingState = description.type === 'offer' ? 'have-remote-offer' : 'stable';
    return Promise.resolve();
  }

  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    this.candidates.push(candidate);
    return Promise.resolve();
  }

  /** Finds a candidate, as the browser does after each local description. */
  gather(candidate: string): void {
    const init = { candidate, usernameFragment: this.fragment };
    const event = Object.assign(new Event('icecandidate'), { candidate: { candidate, toJSON: () => init } });
    this.dispatchEvent(event);
  }

  close(): void {
    this.signalingState = 'closed';
    this.connectionState = 'closed';
  }

  private describe(type: 'offer' | 'answer'): RTCSessionDescriptionInit {
    const origin = `o=- ${this.id} ${++this.version} IN IP4 127.0.0.1`;
    return { type, sdp: `v=0\r\n${origin}\r\na=ice-ufrag:${this.fragment}\r\n` };
  }
}
