import { unprocessable } from '../platform/http/errors/api-error';
import type { Call } from './call.entity';

/** Nothing of a person comes back to a call from which it was erased. @throws 422 call_erased */
export function ensureNotErased({ erased_at }: Pick<Call, 'erased_at'>): void {
  if (erased_at) {
    throw unprocessable(
      'call_erased',
      'The customer of this call was erased: nothing is added to it any more.',
    );
  }
}
