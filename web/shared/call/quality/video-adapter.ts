import type { MediaState } from '../../socket-models';
import { adapt, audioOnly, currentLimits, isAudioOnly, startAdaptation } from './adaptation.rules';
import { applyLimits } from './apply-limits';
import type { LocalMedia } from '../local-media';
import type { PeerConnection } from '../negotiation/peer-connection';
import type { NetworkFigures } from './quality.rules';

/** Sends as much video as the network carries. */
export class VideoAdapter {
  private adaptation = startAdaptation(performance.now());

  constructor(
    private readonly media: LocalMedia,
    private readonly connection: () => PeerConnection | null,
  ) {}

  /** Own video is on, and not sent. */
  get isAudioOnly(): boolean {
    const { camera, screen } = this.media.tracks;
    return isAudioOnly(this.adaptation) && (camera !== null || screen !== null);
  }

  /** What the other side gets. */
  mediaState(): MediaState {
    const { screen } = this.media.tracks;
    const limits = currentLimits(this.adaptation, screen !== null);
    return {
      audio: this.media.microphoneOn,
      video: this.media.cameraOn && limits.camera !== null,
      screen: screen !== null && limits.screen !== null,
    };
  }

  /** @returns whether something else is sent now */
  adapt(figures: NetworkFigures): boolean {
    const { step } = this.adaptation;
    this.adaptation = adapt(this.adaptation, figures, performance.now());
    if (step === this.adaptation.step) return false;
    void this.apply();
    return true;
  }

  forceAudioOnly(): void {
    this.adaptation = audioOnly(this.adaptation, performance.now());
    void this.apply();
  }

  /** Again after each negotiation and each new track. */
  async apply(): Promise<void> {
    const connection = this.connection();
    if (!connection) return;
    const senders = {
      audio: connection.sender('audio'),
      camera: connection.sender('camera'),
      screen: connection.sender('screen'),
    };
    await applyLimits(senders, currentLimits(this.adaptation, this.media.tracks.screen !== null));
  }
}
