import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { OutboundClient } from '../outbound/outbound-client';
import { AttemptMetrics } from './attempt-metrics';
import { type AttemptResult, attemptResultOf } from './attempt-result';
import { type StoredSecret, WebhookSecrets } from '../webhook-secrets';

/** The receiver of a webhook's deliveries, and the secrets that sign them. */
export interface Endpoint {
  id: string;
  tenant_id: string;
  url: string;
  secrets: StoredSecret[];
}

const UNREADABLE: AttemptResult = {
  response_status: null,
  response_body: null,
  retry_after: null,
  error: 'the secret cannot be read',
  duration_ms: 0,
};

/** Sends one attempt of a delivery. */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundClient,
    private readonly metrics: AttemptMetrics,
    private readonly clock: Clock,
  ) {}

  /** Failures are part of the result, not thrown. @param stop aborts the request */
  async deliver(
    endpoint: Endpoint,
    messageId: string,
    body: string,
    stop?: AbortSignal,
  ): Promise<AttemptResult> {
    const headers = this.headers(endpoint, messageId, body);
    const outcome = headers ? await this.send(endpoint.url, body, headers, stop) : UNREADABLE;
    this.metrics.count(outcome);
    return outcome;
  }

  private async send(
    url: string,
    body: string,
    signature: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<AttemptResult> {
    const headers = { ...signature, 'content-type': 'application/json' };
    return attemptResultOf(await this.outbound.request(url, { method: 'POST', headers, body, signal }));
  }

  private headers({ id, secrets }: Endpoint, messageId: string, body: string) {
    try {
      return this.secrets.sign(secrets, messageId, body, this.clock.now());
    } catch (error) {
      this.logger.error(error, `A delivery of webhook ${id} could not be signed`);
      return undefined;
    }
  }
}
