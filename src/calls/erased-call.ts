import { unprocessable } from '../platform/http/errors/api-error';
import type { Call } from './call.entity';

/** Prevents new personal data on a call whose customer was erased. @throws 422 call_erased */
export function ensureNotErased({ erased_at }: Pick<Call, 'erased_at'>): void {
  if (erased_at) {
    throw unprocessable(
      'call_erased',
      'The personal data of this call was erased, so nothing can be added to it.',
    );
  }
}
