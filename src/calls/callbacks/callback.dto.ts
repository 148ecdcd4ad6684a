import { ChoiceField, EmailField, TimestampField } from '../../platform/http/input/fields';
import {
  CALLBACK_CHANNELS,
  CALLBACK_STATUSES,
  type CallbackChannel,
  type CallbackStatus,
} from './callback.machine';

/** The callback of a call. */
export class CallbackDto {
  @ChoiceField(CALLBACK_STATUSES, { example: 'invited' })
  status: CallbackStatus;

  @TimestampField({
    optional: true,
    description: 'Null unless the status is invited',
  })
  invited_until: string | null;
}

export class RequestCallbackDto {
  @ChoiceField(CALLBACK_CHANNELS, {
    description: 'webhook: the company gets `callback.due`',
  })
  channel: CallbackChannel;

  @EmailField({
    optional: true,
    example: 'joao@example.com',
    description: 'For the channel email; by default that of the join',
  })
  email?: string | null;
}
