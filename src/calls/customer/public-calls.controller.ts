import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public, ReservedConnection } from '../../platform/access/access.decorators';
import { MessageDto } from '../../platform/http/message.dto';
import { IdParam } from '../../platform/http/input/id-params';
import { IdempotencyKey, TakesIdempotencyKey } from './idempotency-key';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { isLoopbackClient } from '../../platform/rate-limit/client-address';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { trustFunction } from '../../platform/rate-limit/client-address';
import { invalidLink } from '../../access-links/link-errors';
import { bearerToken, requiredBearerToken } from './bearer-token';
import { CustomerCallActions } from './customer-call-actions';
import { JoinQueue } from './join-queue';
import {
  CallStatusDto,
  EvaluateDto,
  JoinDto,
  LinkValidationDto,
  QueueEntryDto,
  ResumeDto,
  TurnCredentialsDto,
  TurnQuery,
} from './public-call.dto';
import { isLinkToken, withoutPastedEnd } from '../../platform/text/link-token';
import { RateCall } from './rate-call';
import { ResumeCall } from './resume-call';
import { TurnAccess } from './turn-access';

const INVALID_LINK = {
  description: '`invalid_link`, `link_expired`, `link_used`, `link_cancelled` or `link_not_yet_valid`',
  detail: invalidLink().detail,
};

@ApiTags('Customer')
@Public()
@RateLimit('public')
@Controller('api/v1/call')
export class PublicCallsController {
  constructor(
    private readonly calls: CustomerCallActions,
    private readonly joins: JoinQueue,
    private readonly resuming: ResumeCall,
    private readonly rating: RateCall,
    private readonly turn: TurnAccess,
  ) {}

  @Get('turn-credentials')
  @ApiBearerAuth('websocket_token')
  @ApiSecurity({})
  @ApiOperation({
    summary: 'TURN credentials for the WebRTC call',
    description:
      'With a websocket_token, an access token or the token of a valid link; with none if TURN_OPEN is true.',
  })
  @ApiData(TurnCredentialsDto)
  @ApiFailure(401, 'There is no valid token, and TURN_OPEN is false')
  turnCredentials(
    @Query() { token }: TurnQuery,
    @Headers('authorization') authorization: string | undefined,
    @Req() request: Request,
  ): Promise<TurnCredentialsDto> {
    return this.turn.credentials(bearerToken(authorization), token ?? undefined, clientAddress(request));
  }

  @Get('status/:call_id')
  @ApiOperation({ summary: 'Poll the state and queue position of a call' })
  @ApiData(CallStatusDto)
  status(@IdParam('call_id') id: string): Promise<CallStatusDto> {
    return this.calls.status(id);
  }

  @Post('evaluate/:call_id')
  @HttpCode(200)
  @ApiBearerAuth('websocket_token')
  @ApiSecurity({})
  @ApiOperation({
    summary: 'Rate a completed call, once, within 7 days',
    description:
      'Within 15 minutes of the end of the call the websocket_token can be left out from the address that the customer joined ' +
      'from. A token of staff counts as none.',
  })
  @ApiData(MessageDto)
  @ApiFailure(
    403,
    'Without the websocket_token from another address, or later',
    'rating_token_required',
    'Send the websocket_token of the call as a Bearer token to rate it.',
  )
  @ApiFailure(
    422,
    'Invalid fields, or the call cannot be rated',
    'already_rated',
    'This call has been rated already.',
  )
  async evaluate(
    @IdParam('call_id') id: string,
    @Body() input: EvaluateDto,
    @Headers('authorization') authorization: string | undefined,
    @Req() request: Request,
  ): Promise<MessageDto> {
    await this.rating.rate(id, input, bearerToken(authorization), clientAddress(request));
    return { message: 'Thank you for your rating.' };
  }

  @Post('cancel/:call_id')
  @HttpCode(200)
  @ApiBearerAuth('websocket_token')
  @ApiOperation({ summary: 'Leave the queue' })
  @ApiData(CallStatusDto)
  @ApiFailure(
    422,
    'The call is no longer queued or assigned',
    'invalid_transition',
    'A call that is active does not allow cancel.',
  )
  cancel(
    @IdParam('call_id') id: string,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<CallStatusDto> {
    return this.calls.cancel(id, requiredBearerToken(authorization));
  }

  @ReservedConnection()
  @Post('resume')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get the queue entry of a websocket_token, with a new token',
    description:
      'An invited customer is back by this. By a resume link the device gets the call: tokens of others get 401 `taken_over`.',
  })
  @ApiData(QueueEntryDto)
  @ApiFailure(
    401,
    'The token is not valid, or its call has ended',
    'token_expired',
    'The call of this token has ended.',
  )
  resume(@Body() input: ResumeDto): Promise<QueueEntryDto> {
    return this.resuming.resume(input.websocket_token);
  }

  @Get(':token/validate')
  @ApiOperation({ summary: 'Check an access link and get its department' })
  @ApiData(LinkValidationDto)
  @ApiFailure(404, INVALID_LINK.description, 'invalid_link', INVALID_LINK.detail)
  validate(@Param('token') token: string): Promise<LinkValidationDto> {
    return this.calls.validate(linkToken(token));
  }

  @Post(':token/join')
  @HttpCode(200)
  @ApiOperation({ summary: 'Join the queue' })
  @TakesIdempotencyKey(
    'A repeated request with the same key and body within 10 minutes returns the first entry',
  )
  @ApiData(QueueEntryDto)
  @ApiFailure(404, INVALID_LINK.description, 'invalid_link', INVALID_LINK.detail)
  @ApiFailure(
    422,
    'Invalid fields, the queue is full, the department is closed (`department_closed`, with `opens_at` beside the code; ' +
      'a join with `callback` is accepted before an opening where callbacks are enabled), a `callback` of an open department ' +
      'without callbacks (`callback_disabled`) or whose mail cannot be sent today (`callback_limit`), ' +
      'or too many calls of this client address are waiting (`too_many_waiting`)',
    'queue_full',
    'The queue is full. Please try again in a few minutes.',
  )
  @ApiFailure(503, '')
  join(
    @Param('token') token: string,
    @Body() input: JoinDto,
    @IdempotencyKey() key: string | undefined,
    @Req() request: Request,
  ): Promise<QueueEntryDto> {
    const client = {
      address: clientAddress(request),
      isLoopback: isLoopbackClient(request, trustFunction(request.app)),
    };
    return this.joins.join(linkToken(token), input, client, key);
  }
}

/** A string that cannot be a token (NUL bytes, for example) is answered like an unknown token. */
function linkToken(text: string): string {
  const token = withoutPastedEnd(text);
  if (!isLinkToken(token)) throw invalidLink();
  return token;
}
