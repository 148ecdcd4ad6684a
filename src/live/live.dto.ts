import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { LowerCase } from '../platform/http/input/fields';
import { Untrimmed } from '../platform/http/input/dto-options';
import { CHOSEN_PRESENCES, type ChosenPresence } from '../presence/presence.rules';
import { PAGE_SESSION } from './signals/page-session';

export class AuthenticateDto {
  @IsString()
  @MaxLength(4096)
  token: string;
}

export class JoinCallDto {
  @LowerCase()
  @IsUUID()
  call_id: string;

  /** Of the page; by default `auth.session` of the handshake. */
  @IsOptional()
  @Matches(PAGE_SESSION)
  session?: string | null;
}

export class WatchDepartmentDto {
  @LowerCase()
  @IsUUID()
  department_id: string;
}

export class OfferAnswerDto {
  @LowerCase()
  @IsUUID()
  offer_id: string;

  /** Why the agent declines. */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string | null;
}

/** An agent who has joined several calls names one; otherwise the call_id can be omitted. */
export class InCallDto {
  @LowerCase()
  @IsOptional()
  @IsUUID()
  call_id?: string | null;
}

export class SetPresenceDto {
  @IsIn(CHOSEN_PRESENCES)
  presence: ChosenPresence;

  /** Why the agent is away: one of the company's pause_reasons. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  reason?: string | null;
}

/** RTCSessionDescriptionInit (W3C WebRTC). */
class SessionDescriptionDto {
  @IsIn(['offer', 'answer', 'pranswer', 'rollback'])
  type: string;

  @IsOptional()
  @IsString()
  sdp?: string;
}

/** RTCIceCandidateInit; an empty candidate marks the end of candidates. */
class IceCandidateDto {
  @IsOptional()
  @IsString()
  candidate?: string;

  @IsOptional()
  @IsString()
  sdpMid?: string | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  sdpMLineIndex?: number | null;

  @IsOptional()
  @IsString()
  usernameFragment?: string | null;
}

@Untrimmed()
export class SignalDto extends InCallDto {
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SessionDescriptionDto)
  description?: SessionDescriptionDto | null;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => IceCandidateDto)
  candidate?: IceCandidateDto | null;
}
