import { type ColumnsOf, plainColumns, selectList } from '../../platform/database/columns';
import type { OfferDto } from './offer.dto';

const COLUMNS: ColumnsOf<OfferDto> = plainColumns('o', [
  'id',
  'call_id',
  'department_id',
  'user_id',
  'kind',
  'offered_by',
  'note',
  'status',
  'reason',
  'offered_at',
  'expires_at',
  'ended_at',
]);

/** The SELECT list of an offer `o` (OfferDto). */
export const OFFER_COLUMNS = selectList(COLUMNS);
