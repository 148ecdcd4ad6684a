import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentKind } from '../plans/payment-history';

/** What a gateway's notification means to us. */
export interface PaymentNotification {
  /** The gateway's id of the notification: opaque, the same on every delivery of it; null if it has none. */
  event_id: string | null;
  /** The gateway's name for what happened. */
  event: string;
  kind: PaymentKind;
  /** The charge. */
  payment_id: string | null;
  tenant_id: string | null;
  /** When it happened, by the gateway's clock; null if it does not say. */
  occurred_at: Date | null;
}

/** A notification as it was received. */
export interface GatewayRequest {
  headers: IncomingHttpHeaders;
  /** The bytes of the body, which some gateways sign. Empty if the request has no JSON body. */
  rawBody: Buffer;
}

/** A payment provider that notifies us at POST /api/webhooks/<name>. Another one is another class. */
export interface PaymentGateway {
  readonly name: string;
  /** Whether the operator has set it up. */
  readonly enabled: boolean;
  /** Whether the gateway sent the request: by its token or signature, compared in constant time. */
  isAuthentic(request: GatewayRequest): boolean;
  /** Whatever the body is: what cannot be understood is of the kind `other`. */
  read(body: unknown): PaymentNotification;
}

/** Injection token: all gateways, set up or not. */
export const PAYMENT_GATEWAYS = Symbol('PAYMENT_GATEWAYS');
