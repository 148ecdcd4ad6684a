import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CurrentUser, MinimumRole } from '../../platform/access/access.decorators';
import type { Principal } from '../../platform/access/principal';
import {
  ChoiceField,
  ObjectField,
  TextField,
  TimestampField,
  UuidField,
} from '../../platform/http/input/fields';
import { IdParam } from '../../platform/http/input/id-params';
import { NoParameters } from '../../platform/http/lists/pagination';
import { ApiData } from '../../platform/http/openapi/openapi.decorators';
import { UploadedFileDto } from './uploaded-file.dto';
import { ChatMessages, MAX_CHAT_MESSAGES, type RecordedChatMessage } from './chat-messages';

const SIDES = ['customer', 'agent'] as const;

class CallChatMessageDto implements RecordedChatMessage {
  @UuidField()
  id: string;

  @ChoiceField(SIDES, { example: 'customer', description: 'Who wrote it' })
  from: (typeof SIDES)[number];

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The agent who wrote it; null for the customer',
  })
  agent_name: string | null;

  @TextField({ example: 'My order is 4711' })
  text: string;

  @TimestampField()
  at: string;

  @ObjectField(() => UploadedFileDto, {
    optional: true,
    example: null,
    description: 'The file that the customer sent; null for a text',
  })
  file: UploadedFileDto | null;
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
  list(
    @CurrentUser() user: Principal,
    @IdParam() id: string,
    @Query() _query: NoParameters,
  ): Promise<RecordedChatMessage[]> {
    return this.messages.list(user, id);
  }
}
