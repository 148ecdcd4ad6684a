import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import { ChoiceField, TextField, TimestampField, UuidField } from '../../platform/http/input/fields';
import { IdParam } from '../../platform/http/input/id-params';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { type ChatMessage, ChatMessages, MAX_CHAT_MESSAGES } from './chat-messages';

const SIDES = ['customer', 'agent'] as const;

class CallChatMessageDto implements ChatMessage {
  @UuidField()
  id: string;

  @ChoiceField(SIDES, { example: 'customer', description: 'Who wrote it' })
  from: (typeof SIDES)[number];

  @TextField({ example: 'My order is 4711' })
  text: string;

  @TimestampField()
  at: string;
}

@ApiTags('Calls')
@MinimumRole('attendant')
@Controller('api/v1/calls')
export class ChatController {
  constructor(private readonly messages: ChatMessages) {}

  @Get(':id/chat')
  @ApiOperation({
    summary: 'List the chat messages of a call, the oldest first',
    description: `All of them, at most ${MAX_CHAT_MESSAGES}, during the call and after it.`,
  })
  @ApiData(CallChatMessageDto, { list: true })
  list(@CurrentUser() user: Principal, @IdParam() id: string): Promise<ChatMessage[]> {
    return this.messages.list(user, id);
  }
}
