import { addTransceivers, MEDIA_KINDS, transceiversByKind } from './transceivers';
import type { MediaKind, MediaTracks } from '../media-types';
import { isAnswerTo, isCandidateOf, originOf, tagAnswer } from './sdp-tags';

const MAX_QUEUED_CANDIDATES = 100;

export interface PeerConnectionOptions {
  servers: RTCIceServer[];
  relayOnly: boolean;
  tracks: MediaTracks;
  onCandidate: (candidate: RTCIceCandidateInit) => void;
  /** The state of the connection or of a remote track changed. */
  onChange: () => void;
}

/** An RTCPeerConnection with one transceiver each for audio, camera and screen. */
export class PeerConnection {
  readonly native: RTCPeerConnection;
  private readonly queued: RTCIceCandidateInit[] = [];
  private readonly watched = new Set<MediaStreamTrack>();

  constructor(private readonly options: PeerConnectionOptions) {
    this.native = new RTCPeerConnection({
      ...configuration(options.servers, options.relayOnly),
      bundlePolicy: 'max-bundle',
    });
    this.native.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate) options.onCandidate(candidate.toJSON());
    });
    this.native.addEventListener('connectionstatechange', options.onChange);
  }

  /** Of the other side's RTCPeerConnection; null before its first description. */
  get remoteId(): string | null {
    return originOf(this.native.remoteDescription?.sdp)?.connection ?? null;
  }

  get isOfferPending(): boolean {
    return this.native.signalingState === 'have-local-offer';
  }

  sender(kind: MediaKind): RTCRtpSender | undefined {
    return transceiversByKind(this.native.getTransceivers())[kind]?.sender;
  }

  /** The other side's track, also while it sends nothing; null before the first description. */
  remoteTrack(kind: MediaKind): MediaStreamTrack | null {
    if (!this.native.remoteDescription) return null;
    return transceiversByKind(this.native.getTransceivers())[kind]?.receiver.track ?? null;
  }

  /** Before the first offer or a restart. Has an effect on the next gathering of candidates. */
  configure(servers: RTCIceServer[], relayOnly: boolean): void {
    this.native.setConfiguration({
      ...this.native.getConfiguration(),
      ...configuration(servers, relayOnly),
    });
  }

  async offer(iceRestart: boolean): Promise<RTCSessionDescriptionInit> {
    if (this.native.getTransceivers().length === 0) addTransceivers(this.native);
    await this.setTracks(this.options.tracks);
    await this.native.setLocalDescription(await this.native.createOffer({ iceRestart }));
    return this.pendingOffer();
  }

  /** The offer with all candidates that were found since. */
  pendingOffer(): RTCSessionDescriptionInit {
    return { type: 'offer', sdp: this.native.localDescription?.sdp ?? '' };
  }

  async answer(offer: RTCSessionDescriptionInit): Promise<RTCSessionDescriptionInit> {
    await this.native.setRemoteDescription(offer);
    for (const transceiver of this.native.getTransceivers()) transceiver.direction = 'sendrecv';
    await this.setTracks(this.options.tracks);
    await this.native.setLocalDescription(await this.native.createAnswer());
    await this.addQueuedCandidates();
    return { type: 'answer', sdp: tagAnswer(this.native.localDescription?.sdp ?? '', offer.sdp) };
  }

  /** Ignores answers to other offers than the pending one. */
  async accept(answer: RTCSessionDescriptionInit): Promise<void> {
    if (!this.isOfferPending || !isAnswerTo(answer.sdp, this.native.localDescription?.sdp)) return;
    await this.native.setRemoteDescription(answer);
    await this.addQueuedCandidates();
  }

  /** Candidates can overtake the description that they belong to. */
  async addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (isCandidateOf(candidate, this.native.remoteDescription?.sdp)) {
      // A candidate of an address that the browser cannot use, for example IPv6, is no loss.
      await this.native.addIceCandidate(candidate).catch(() => undefined);
    } else if (this.queued.length < MAX_QUEUED_CANDIDATES) this.queued.push(candidate);
  }

  async setTracks(tracks: MediaTracks): Promise<void> {
    this.options.tracks = tracks;
    await Promise.all(
      MEDIA_KINDS.map(async (kind) => {
        const sender = this.sender(kind);
        if (sender && sender.track !== tracks[kind]) await sender.replaceTrack(tracks[kind]);
      }),
    );
    this.watchRemoteTracks();
  }

  close(): void {
    this.native.removeEventListener('connectionstatechange', this.options.onChange);
    this.native.close();
  }

  /** Those of an earlier description are dropped. */
  private async addQueuedCandidates(): Promise<void> {
    for (const candidate of this.queued.splice(0)) {
      if (isCandidateOf(candidate, this.native.remoteDescription?.sdp)) await this.addCandidate(candidate);
    }
  }

  private watchRemoteTracks(): void {
    for (const { receiver } of this.native.getTransceivers()) {
      if (this.watched.has(receiver.track)) continue;
      this.watched.add(receiver.track);
      receiver.track.addEventListener('mute', this.options.onChange);
      receiver.track.addEventListener('unmute', this.options.onChange);
    }
  }
}

function configuration(servers: RTCIceServer[], relayOnly: boolean): RTCConfiguration {
  return { iceServers: servers, iceTransportPolicy: relayOnly ? 'relay' : 'all' };
}
