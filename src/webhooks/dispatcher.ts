import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { CONFIG, type Config } from '../platform/config/config';
import { Recurring } from '../platform/jobs/recurring';
import { OutboundHttp } from '../platform/outbound/outbound-http';
import { AttemptMetrics } from './attempt-metrics';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue';
import { WebhookSecrets } from './webhook-secrets';

const EVERY_MS = 1000;
/** How many tries one instance makes at once. Most of them wait for somebody else's answer. */
const MOST_UNDER_WAY = 200;
/** How long a stop lets tries come to their end. */
const PATIENCE_MS = 4000;

/**
 * Makes the deliveries that are due. Each webhook is served by itself, a few at a time, so one that is slow holds up
 * nobody but itself.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly recurring = new Recurring('Webhooks', EVERY_MS, () => this.dispatch());
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundHttp,
    private readonly metrics: AttemptMetrics,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.doesJobs) this.recurring.start();
  }

  /** Tries that do not end in time are given back: another instance, or the next start, makes them again. */
  async onModuleDestroy(): Promise<void> {
    await this.recurring.stop();
    const timer = setTimeout(() => this.stopping.abort(), PATIENCE_MS);
    while (this.underWay.size > 0) await Promise.race(this.underWay);
    clearTimeout(timer);
  }

  /** Begins with everything that is due. */
  async dispatch(): Promise<void> {
    for (const webhookId of await this.queue.due()) {
      if (this.underWay.size >= MOST_UNDER_WAY) return;
      await this.serve(webhookId);
    }
  }

  /** Begins with what is due of one webhook, and goes on with it for as long as there is more. */
  async serve(webhookId: string): Promise<void> {
    const isFull = this.underWay.size >= MOST_UNDER_WAY;
    if (!this.config.doesJobs || this.recurring.isStopped || isFull) return;
    for (const delivery of await this.queue.claim(webhookId)) {
      const trying: Promise<void> = this.attempt(delivery)
        .catch((error: unknown) => this.logger.error(error, `Delivery ${delivery.id} failed within`))
        .finally(() => this.underWay.delete(trying));
      this.underWay.add(trying);
    }
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, body, endpoint } = delivery;
    const headers = this.secrets.sign(endpoint, id, body, this.clock.now());
    const outcome = await this.outbound.post(endpoint.url, body, headers, this.stopping.signal);
    const isCutShort = this.stopping.signal.aborted && outcome.response_status === null;
    if (isCutShort) return this.queue.release(delivery);
    this.metrics.count(outcome);
    await this.queue.finish(delivery, outcome);
    await this.serve(endpoint.id);
  }
}
