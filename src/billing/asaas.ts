import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { CONFIG, type Config } from '../platform/config/config';
import { isSameSecret } from '../platform/text/same-secret';
import type { PaymentGateway, PaymentNotification } from './payment-gateway';

const PAID = new Set(['PAYMENT_CONFIRMED', 'PAYMENT_RECEIVED']);

/** Asaas: https://docs.asaas.com/docs/webhook-para-cobrancas */
@Injectable()
export class Asaas implements PaymentGateway {
  readonly name = 'asaas';

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get enabled(): boolean {
    return this.config.asaasWebhookToken !== undefined;
  }

  authenticates(headers: Record<string, string | string[] | undefined>): boolean {
    const given = headers['asaas-access-token'];
    return typeof given === 'string' && isSameSecret(given, this.config.asaasWebhookToken ?? '');
  }

  read(body: unknown): PaymentNotification | null {
    const { id, event, payment } = asRecord(body);
    if (typeof id !== 'string' || id === '' || typeof event !== 'string') return null;
    const { id: paymentId, externalReference } = asRecord(payment);
    return {
      event_id: id,
      event,
      payment_id: typeof paymentId === 'string' ? paymentId : null,
      tenant_id: isUUID(externalReference) ? (externalReference as string) : null,
      paid: PAID.has(event),
    };
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
