import type { Call } from '../call.entity';
import type { CallbackDto } from './callback.dto';

/** The callback of a call as the API shows it, as CALLBACK_COLUMN does; null if the customer never requested one. */
export const callbackOf = ({
  callback_status: status,
  callback_invited_until,
}: Pick<Call, 'callback_status' | 'callback_invited_until'>): CallbackDto | null =>
  status && { status, invited_until: callback_invited_until?.toISOString() ?? null };
