import type { MediaKind } from '../media-types';

export const MEDIA_KINDS: readonly MediaKind[] = ['audio', 'camera', 'screen'];

type Transceivers = Partial<Record<MediaKind, RTCRtpTransceiver>>;

/** Adds one for each kind, in the order that tells the other side which one is which. */
export function addTransceivers(connection: RTCPeerConnection): void {
  for (const kind of MEDIA_KINDS) {
    connection.addTransceiver(kind === 'audio' ? 'audio' : 'video', { direction: 'sendrecv' });
  }
}

/** @returns the first of audio, and of video the first for the camera, the second for the screen */
export function transceiversByKind(all: readonly RTCRtpTransceiver[]): Transceivers {
  const of = (kind: string) =>
    all.filter(
      (transceiver) => transceiver.currentDirection !== 'stopped' && transceiver.receiver.track.kind === kind,
    );
  const [audio] = of('audio');
  const [camera, screen] = of('video');
  return { audio, camera, screen };
}
