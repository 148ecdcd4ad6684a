import { IsBoolean, IsIn, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { RECORDING_STATES, type RecordingStatus } from '../../calls/media/recording-state.rules';
import { InCallDto } from '../live.dto';

const MAX_RTT_MS = 600_000;
const MAX_BITRATE = 10_000_000_000;

export class ChatMessageDto extends InCallDto {
  @IsString()
  @Length(1, 2000)
  text: string;

  /** By which a client sends a message again, after a reconnection, without sending it twice. */
  @IsOptional()
  @IsString()
  @Length(1, 64)
  client_id?: string | null;
}

/** What the sender's side shows: whether its microphone, camera and screen are on. */
export class MediaStateDto extends InCallDto {
  @IsBoolean()
  audio: boolean;

  @IsBoolean()
  video: boolean;

  @IsBoolean()
  screen: boolean;
}

/** Null or left out where the browser does not know. */
export class QualityReportDto extends InCallDto {
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(MAX_RTT_MS)
  rtt_ms?: number | null;

  /** Share of packets lost. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(1)
  loss?: number | null;

  /** Bit/s. */
  @IsOptional()
  @IsNumber()
  @Min(0)
  @Max(MAX_BITRATE)
  bitrate?: number | null;
}

/** The agent sends the state of the recording, the customer also the consent. */
export class RecordingStateMoveDto extends InCallDto {
  @IsIn(RECORDING_STATES)
  recording: RecordingStatus;

  @IsOptional()
  @IsBoolean()
  consent?: boolean | null;
}
