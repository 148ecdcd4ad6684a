/** What a gateway's notification means to us. */
export interface PaymentNotification {
  /** The gateway's id of the notification: opaque, the same on every delivery of it. */
  event_id: string;
  event: string;
  /** The charge. */
  payment_id: string | null;
  tenant_id: string | null;
  /** Whether it says that the charge has been paid. */
  paid: boolean;
}

/** A payment provider that notifies us at POST /api/webhooks/<name>. */
export interface PaymentGateway {
  readonly name: string;
  /** Whether the operator has set it up. */
  readonly enabled: boolean;
  /** Whether the request carries the token we agreed on, compared in constant time. */
  authenticates(headers: Record<string, string | string[] | undefined>): boolean;
  /** @returns null for a body that is no notification of this gateway */
  read(body: unknown): PaymentNotification | null;
}
