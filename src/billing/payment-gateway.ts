import type { IncomingHttpHeaders } from 'node:http';
import { type Correction, CORRECTIONS, type PaymentKind } from '../plans/payment-history';

/** A notification of a gateway, translated to the service's terms. */
export interface PaymentNotification {
  /** The gateway's opaque id of the notification, the same for each delivery of it; null if it has none. */
  event_id: string | null;
  /** The gateway's name of the event. */
  event: string;
  kind: PaymentKind;
  /** The gateway's id of the charge. */
  payment_id: string | null;
  /** The id or the slug of the tenant that pays. */
  tenant: string | null;
  /** Time of the event by the gateway's clock; null if the notification has none. */
  occurred_at: Date | null;
}

/** A notification as it was received. */
export interface GatewayRequest {
  headers: IncomingHttpHeaders;
  /** The bytes of the body if the gateway signs them. Empty otherwise, and if the request has no JSON body. */
  rawBody: Buffer;
}

/** A payment provider that sends its notifications to POST /api/webhooks/<name>. */
export interface PaymentGateway {
  readonly name: string;
  /** Whether the operator has configured it. */
  readonly enabled: boolean;
  /** Whether the body has to be read to authenticate the request; otherwise it is read afterwards. */
  readonly signsBody: boolean;
  /** Whether the gateway sent the request: by its token or signature, compared in constant time. */
  isAuthentic(request: GatewayRequest): boolean;
  /**
   * Reads any JSON body without throwing; a notification that it does not understand has the kind `other`.
   */
  read(body: unknown): PaymentNotification;
}

/** Injection token of all gateways, whether or not they are configured. */
export const PAYMENT_GATEWAYS = Symbol('PAYMENT_GATEWAYS');

const isCorrection = (kind: PaymentKind): kind is Correction => CORRECTIONS.some((name) => name === kind);

/**
 * The columns of a kind. Corrections have a column of their own, because instances of former releases read the other
 * one while both serve, and stop at a kind that they do not know.
 */
export function storedKind(kind: PaymentKind): { kind: PaymentKind; correction: Correction | null } {
  return isCorrection(kind) ? { kind: 'other', correction: kind } : { kind, correction: null };
}
