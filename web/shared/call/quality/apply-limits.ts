import type { SendLimits, VideoLimit } from './send-limits';

const AUDIO_BITRATE = 48_000;

type Senders = { audio?: RTCRtpSender; camera?: RTCRtpSender; screen?: RTCRtpSender };

/** Has no effect on senders that are not negotiated yet: call it again afterwards. */
export async function applyLimits(senders: Senders, limits: SendLimits): Promise<void> {
  await Promise.all([
    applyTo(senders.audio, (encoding) => {
      encoding.maxBitrate = AUDIO_BITRATE;
      encoding.priority = 'high';
      encoding.networkPriority = 'high';
    }),
    applyTo(senders.camera, (encoding) => limitVideo(encoding, limits.camera), 'maintain-framerate'),
    applyTo(senders.screen, (encoding) => limitVideo(encoding, limits.screen), 'maintain-resolution'),
  ]);
}

function limitVideo(encoding: RTCRtpEncodingParameters, limit: VideoLimit | null): void {
  encoding.active = limit !== null;
  if (!limit) return;
  encoding.maxBitrate = limit.maxBitrate;
  encoding.maxFramerate = limit.framerate;
  encoding.scaleResolutionDownBy = limit.scale;
}

async function applyTo(
  sender: RTCRtpSender | undefined,
  change: (encoding: RTCRtpEncodingParameters) => void,
  preference?: RTCDegradationPreference,
): Promise<void> {
  const parameters = sender?.getParameters();
  if (!sender || !parameters?.encodings?.length) return;
  parameters.encodings.forEach(change);
  if (preference) parameters.degradationPreference = preference;
  // Browsers refuse fields that they do not know and changes during a negotiation; the next step tries again.
  await sender.setParameters(parameters).catch(() => undefined);
}
