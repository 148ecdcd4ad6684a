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
    description: 'Until when the customer keeps the place by returning; null unless the status is invited',
  })
  invited_until: string | null;
}

export class RequestCallbackDto {
  @ChoiceField(CALLBACK_CHANNELS, {
    description: 'email: a mail of the service; webhook: a message of the company, which gets `callback.due`',
  })
  channel: CallbackChannel;

  @EmailField({
    optional: true,
    example: 'joao@example.com',
    description: 'For the channel email; by default the address that the customer joined with',
  })
  email?: string | null;
}
