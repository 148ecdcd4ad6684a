import { Body, Controller, Delete, Headers, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequestCallbackDto } from '../callbacks/callback.dto';
import { Public } from '../../platform/access/access.decorators';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData, ApiFailure } from '../../platform/http/openapi/openapi.decorators';
import { RateLimit } from '../../platform/rate-limit/rate-limit.decorator';
import { BearerTokenGuard } from './bearer-token.guard';
import { requiredBearerToken } from './bearer-token';
import { CustomerCallbacks } from './customer-callbacks';
import { QueueEntryDto } from './public-call.dto';

@ApiTags('Customer')
@Public()
@RateLimit('public')
@UseGuards(BearerTokenGuard)
@Controller('api/v1/call/callback')
export class CallbacksController {
  constructor(private readonly callbacks: CustomerCallbacks) {}

  @Post(':call_id')
  @HttpCode(200)
  @ApiBearerAuth('websocket_token')
  @ApiOperation({
    summary: 'Ask to be called back: the call keeps its place while the customer is away',
    description: 'Until the invitation, a repeated request can change the channel and the address.',
  })
  @ApiData(QueueEntryDto)
  @ApiFailure(
    422,
    'Invalid fields, `invalid_transition`, `callback_invited` after the invitation, `callback_limit` if no mail can be sent to the address today (the call waits on as before), ' +
      'or the department does not call back',
    'callback_disabled',
    'The department does not call customers back.',
  )
  request(
    @IdParam('call_id') id: string,
    @Body() input: RequestCallbackDto,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<QueueEntryDto> {
    return this.callbacks.request(id, requiredBearerToken(authorization), input);
  }

  @Delete(':call_id')
  @HttpCode(204)
  @ApiBearerAuth('websocket_token')
  @ApiOperation({
    summary: 'Take the callback back, if there is one: the customer waits on for the time that was left',
  })
  @ApiNoContentResponse()
  @ApiFailure(
    422,
    'The call does not wait',
    'invalid_transition',
    'A call that is active does not allow a callback.',
  )
  cancel(
    @IdParam('call_id') id: string,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<void> {
    return this.callbacks.cancel(id, requiredBearerToken(authorization));
  }
}
