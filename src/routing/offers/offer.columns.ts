import { appointmentOfLink } from '../../access-links/appointment-of-link';
import { type ColumnsOf, pickColumns, plainColumns, selectList } from '../../platform/database/columns';
import type { OfferDto } from './offer.dto';

const COLUMNS: ColumnsOf<OfferDto> = {
  ...plainColumns('o', [
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
  ]),
  appointment: `(
    SELECT ${appointmentOfLink('own.tenant_id', 'own.access_link_id', `'id', a.id`)}
    FROM calls own WHERE own.id = o.call_id)`,
  known_customer: `EXISTS (
    SELECT FROM calls own JOIN calls earlier
      ON earlier.tenant_id = own.tenant_id AND earlier.customer_id = own.customer_id
    WHERE own.id = o.call_id AND earlier.inserted_at < own.inserted_at)`,
};

/** The SELECT list of an offer `o` (OfferDto). */
export const OFFER_COLUMNS = selectList(COLUMNS);

/** The RETURNING list of an offer `o` that changes (OfferRow). */
export const OFFER_ROW = `o.*, ${selectList(pickColumns(COLUMNS, ['appointment', 'known_customer']))}`;
