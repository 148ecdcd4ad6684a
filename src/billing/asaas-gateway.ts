import { Inject, Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { CONFIG, type Config } from '../platform/config/config';
import { isSameSecret } from '../platform/text/same-secret';
import type { PaymentKind } from '../plans/payment-history';
import type { GatewayRequest, PaymentGateway, PaymentNotification } from './payment-gateway';

const KINDS: Record<string, PaymentKind> = {
  PAYMENT_CONFIRMED: 'paid',
  PAYMENT_RECEIVED: 'paid',
  PAYMENT_OVERDUE: 'overdue',
  PAYMENT_REFUNDED: 'refunded',
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
    const { id: paymentId, externalReference } = asRecord(payment);
    const name = nonEmptyString(event) ?? 'unknown';
    return {
      event_id: nonEmptyString(id),
      event: name,
      kind: Object.hasOwn(KINDS, name) ? (KINDS[name] ?? 'other') : 'other',
      payment_id: nonEmptyString(paymentId),
      tenant: nonEmptyString(externalReference),
      occurred_at: parseLocalTime(dateCreated),
    };
  }
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
