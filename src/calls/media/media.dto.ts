import {
  BooleanField,
  ChoiceField,
  IntegerField,
  NumberField,
  ObjectField,
  TimestampField,
} from '../../platform/http/input/fields';
import { RECORDING_STATES, type RecordingStatus } from './recording-state.rules';

const DEVICE_STATES = ['ok', 'refused', 'missing'] as const;
const NETWORK_LEVELS = ['good', 'fair', 'poor'] as const;

/** What the customer's page found out about its device while the customer waited. */
export class DeviceReportDto {
  @ChoiceField(DEVICE_STATES)
  camera: (typeof DEVICE_STATES)[number];

  @ChoiceField(DEVICE_STATES)
  microphone: (typeof DEVICE_STATES)[number];

  @ChoiceField(NETWORK_LEVELS, { optional: true, description: 'Null: not measured' })
  network?: (typeof NETWORK_LEVELS)[number] | null;

  @BooleanField({ optional: true, description: 'Whether a TURN server is reachable; null: not measured' })
  relay?: boolean | null;
}

/** The reports of one side. */
export class SideQualityDto {
  @IntegerField({ example: 12, description: 'Reports' })
  samples: number;

  @IntegerField({ optional: true, example: 80, description: 'Round trip in ms, on average' })
  rtt_ms: number | null;

  @IntegerField({ optional: true, example: 220 })
  max_rtt_ms: number | null;

  @NumberField({ optional: true, example: 0.01, description: 'Share of packets lost, on average' })
  loss: number | null;

  @NumberField({ optional: true, example: 0.06 })
  max_loss: number | null;

  @IntegerField({ optional: true, example: 1200000, description: 'Bit/s, on average' })
  bitrate: number | null;

  @IntegerField({ optional: true, example: 300000 })
  min_bitrate: number | null;
}

export class CallQualityDto {
  @ObjectField(() => SideQualityDto, { optional: true })
  customer: SideQualityDto | null;

  @ObjectField(() => SideQualityDto, { optional: true })
  agent: SideQualityDto | null;
}

export class RecordingStateDto {
  @ChoiceField(RECORDING_STATES, { example: 'on' })
  recording: RecordingStatus;

  @BooleanField({ optional: true, description: "The customer's latest answer; null without one" })
  consent: boolean | null;

  @TimestampField({ optional: true, description: 'When they answered' })
  consent_at: string | null;
}
