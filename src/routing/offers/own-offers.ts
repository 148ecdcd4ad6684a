import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { Database } from '../../platform/database/database';
import { Filter } from '../../platform/database/filter';
import type { Statement } from '../../platform/database/statement';
import type { Transaction } from '../../platform/database/transaction';
import { notFound, unprocessable } from '../../platform/http/errors/api-error';
import { OFFER_COLUMNS } from './offer.columns';
import type { OfferDto } from './offer.dto';

/** What an agent needs to know of their offer before they answer it. */
type AnswerableOffer = Pick<OfferDto, 'call_id' | 'kind'>;

/** The offers of the user who asks. */
@Injectable()
export class OwnOffers {
  constructor(private readonly database: Database) {}

  /** The user's pending offers. */
  async pending(user: Principal): Promise<OfferDto[]> {
    const [offers] = await this.database.readTenant<[OfferDto]>(user.tenant_id, [
      this.pendingStatement(user),
    ]);
    return offers;
  }

  /** Selects the user's pending offers (OfferDto). */
  pendingStatement({ tenant_id, user_id }: Principal): Statement {
    return {
      text: `SELECT ${OFFER_COLUMNS} FROM offers o
        WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.status = 'pending' ORDER BY o.offered_at`,
      values: [tenant_id, user_id],
    };
  }

  /** @throws 404 for an offer of somebody else */
  async get({ tenant_id, user_id }: Principal, offerId: string): Promise<AnswerableOffer> {
    const [[offer]] = await this.database.readTenant<[AnswerableOffer]>(tenant_id, [
      {
        text: 'SELECT call_id, kind FROM offers WHERE tenant_id = $1 AND id = $2 AND user_id = $3',
        values: [tenant_id, offerId, user_id],
      },
    ]);
    if (!offer) throw notFound('Offer');
    return offer;
  }

  /** Matches the offer `o`, if it is the user's. */
  filter({ tenant_id, user_id }: Principal, offerId: string): Filter {
    return new Filter()
      .and('o.tenant_id = ?', tenant_id)
      .and('o.id = ?', offerId)
      .and('o.user_id = ?', user_id);
  }

  /** Why an offer could not be answered: 404 for an offer of somebody else, otherwise 422 offer_ended. */
  async refusal(tx: Transaction, user: Principal, offerId: string): Promise<Error> {
    const { sql, values } = this.filter(user, offerId);
    const offer = await tx.one(`SELECT FROM offers o ${sql}`, values);
    if (!offer) return notFound('Offer');
    return unprocessable(
      'offer_ended',
      'The offer has ended: it was answered, has expired or was withdrawn.',
    );
  }
}
