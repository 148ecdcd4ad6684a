import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { type Outcome, OutboundHttp } from '../../platform/outbound/outbound-http';
import { AttemptMetrics } from './attempt-metrics';
import { type StoredSecret, WebhookSecrets } from '../webhook-secrets';

/** Where a webhook's deliveries are sent, and the secrets that sign them. */
export interface Endpoint {
  id: string;
  tenant_id: string;
  url: string;
  secrets: StoredSecret[];
}

const UNREADABLE: Outcome = {
  response_status: null,
  response_body: null,
  retry_after: null,
  error: 'the secret cannot be read',
  duration_ms: 0,
};

/** Makes one attempt to deliver. */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundHttp,
    private readonly metrics: AttemptMetrics,
    private readonly clock: Clock,
  ) {}

  /** Failures are returned, not thrown. @param stop aborts the attempt at once */
  async deliver(endpoint: Endpoint, messageId: string, body: string, stop?: AbortSignal): Promise<Outcome> {
    const headers = this.headers(endpoint, messageId, body);
    const outcome = headers ? await this.outbound.post(endpoint.url, body, headers, stop) : UNREADABLE;
    this.metrics.count(outcome);
    return outcome;
  }

  private headers({ id, secrets }: Endpoint, messageId: string, body: string) {
    try {
      return this.secrets.sign(secrets, messageId, body, this.clock.now());
    } catch (error) {
      this.logger.error(error, `Deliveries of webhook ${id} cannot be signed`);
      return undefined;
    }
  }
}
