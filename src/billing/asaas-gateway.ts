import { Inject, Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { CONFIG, type Config } from '../platform/config/config';
import { isSameSecret } from '../platform/text/same-secret';
import type { PaymentKind } from '../plans/payment-history';
import type { GatewayRequest, PaymentGateway, PaymentNotification } from './payment-gateway';

/**
 * A charge whose refund is in progress, denied or of a part only stays paid, and so does not appear here. A dispute
 * follows a chargeback; AWAITING_CHARGEBACK_REVERSAL is a dispute that the company has won.
 */
const KINDS: Record<string, PaymentKind> = {
  PAYMENT_CONFIRMED: 'paid',
  PAYMENT_RECEIVED: 'paid',
  PAYMENT_DUNNING_RECEIVED: 'paid',
  PAYMENT_RECEIVED_IN_CASH_UNDONE: 'cash_undone',
  PAYMENT_OVERDUE: 'overdue',
  PAYMENT_DELETED: 'deleted',
  PAYMENT_RESTORED: 'restored',
  PAYMENT_REFUNDED: 'refunded',
  PAYMENT_CHARGEBACK_REQUESTED: 'charged_back',
  PAYMENT_CHARGEBACK_DISPUTE: 'charged_back',
  PAYMENT_AWAITING_CHARGEBACK_REVERSAL: 'chargeback_reversed',
};

/** Asaas sends local time without a zone. */
const TIME_ZONE = 'America/Sao_Paulo';

/** Notifications of Asaas (https://docs.asaas.com/docs/webhook-para-cobrancas). */
@Injectable()
export class AsaasGateway implements PaymentGateway {
  readonly name = 'asaas';
  readonly signsBody = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get enabled(): boolean {
    return this.config.asaasWebhookToken !== undefined;
  }

  isAuthentic({ headers }: GatewayRequest): boolean {
    const token = headers['asaas-access-token'];
    return typeof token === 'string' && isSameSecret(token, this.config.asaasWebhookToken ?? '');
  }

  read(body: unknown): PaymentNotification {
    const { id, event, dateCreated, payment } = asRecord(body);
    const { id: paymentId, externalReference, dueDate } = asRecord(payment);
    const name = nonEmptyString(event) ?? 'unknown';
    return {
      event_id: nonEmptyString(id),
      event: name,
      kind: name === 'PAYMENT_UPDATED' ? kindOfUpdate(dueDate, dateCreated) : kindOf(name),
      payment_id: nonEmptyString(paymentId),
      tenant: nonEmptyString(externalReference),
      occurred_at: parseLocalTime(dateCreated),
    };
  }
}

const kindOf = (name: string): PaymentKind =>
  Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other';

/** An update of the due date or the amount. A charge that is due today or later is not overdue any more. */
function kindOfUpdate(dueDate: unknown, dateCreated: unknown): PaymentKind {
  const [due, today] = [dueDate, dateCreated].map(
    (date) => /^2\d{3}-\d\d-\d\d/.exec(nonEmptyString(date) ?? '')?.[0],
  );
  return due && today && due >= today ? 'rescheduled' : 'other';
}

/** @returns null unless the value is a local time of this millennium, such as `2026-06-12 16:45:03` */
function parseLocalTime(dateCreated: unknown): Date | null {
  const text = nonEmptyString(dateCreated) ?? '';
  // A time without a date would be read as today's. Years near 0 and 9999 may leave PostgreSQL's range in
  // UTC.
  if (!/^2\d{3}-/.test(text)) return null;
  const moment = DateTime.fromSQL(text, { zone: TIME_ZONE });
  return moment.isValid ? moment.toJSDate() : null;
}

const nonEmptyString = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
