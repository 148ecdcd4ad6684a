import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { type ClaimedDelivery, CONCURRENCY, DeliveryQueue, type DueWebhook } from './delivery-queue';
import { WebhookSender } from './webhook-sender';
import { InFlightLimiter } from './in-flight-limiter';

const DISPATCH_INTERVAL_MS = 1000;
/** How long a stop lets tries come to their end. */
const PATIENCE_MS = 4000;

/**
 * Makes the deliveries that are due. Each webhook is served by itself, a few at a time, so one that is slow holds up
 * nobody but itself.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly task: RecurringTask;
  private readonly underWay = new InFlightLimiter();
  private readonly stopping = new AbortController();
  /** Webhooks that are being served, and whether they are to be once more after that. */
  private readonly served = new Map<string, { again: boolean }>();
  /** Where the last round ended: the next one begins behind it, so that nobody is always the last. */
  private last = '';

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly postman: WebhookSender,
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.task = new RecurringTask('Webhooks', intervals.of(DISPATCH_INTERVAL_MS), () => this.dispatch());
  }

  onApplicationBootstrap(): void {
    if (this.config.isWorker) this.task.start();
  }

  /** Tries that do not end in time are given back: another instance, or the next start, makes them again. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    const timer = setTimeout(() => this.stopping.abort(), PATIENCE_MS);
    await this.underWay.settled();
    clearTimeout(timer);
  }

  /** Begins with everything that is due. */
  async dispatch(): Promise<void> {
    const due = await this.queue.due();
    const from = due.findIndex(({ webhook_id }) => webhook_id > this.last);
    for (const webhook of from > 0 ? [...due.slice(from), ...due.slice(0, from)] : due) {
      if (await this.serve(webhook)) this.last = webhook.webhook_id;
    }
  }

  /** Begins with what is due of one webhook, without being waited for. */
  wake(webhook: DueWebhook): void {
    this.underWay.follow(this.serve(webhook).then(() => {}));
  }

  /**
   * One at a time for each webhook: whoever asks meanwhile has it looked at once more. Never throws.
   * @returns false where there was no place: its turn is in the next round
   */
  private async serve(webhook: DueWebhook): Promise<boolean> {
    const { webhook_id, tenant_id } = webhook;
    const present = this.served.get(webhook_id);
    if (present) present.again = true;
    if (present || !this.config.isWorker || this.task.isStopped) return true;
    const places = this.underWay.take(tenant_id, CONCURRENCY);
    if (places === 0) return false;
    const turn = { again: false };
    this.served.set(webhook_id, turn);
    const claimed = await this.claim(webhook_id, places);
    this.underWay.giveBack(tenant_id, places - claimed.length);
    for (const delivery of claimed) this.begin(delivery);
    this.served.delete(webhook_id);
    if (turn.again) this.wake(webhook);
    return true;
  }

  private async claim(webhookId: string, places: number): Promise<ClaimedDelivery[]> {
    try {
      return await this.queue.claim(webhookId, places);
    } catch (error) {
      // What is due stays due; the others have their turn all the same.
      this.logger.error(error, `Deliveries of webhook ${webhookId} could not be claimed`);
      return [];
    }
  }

  private begin(delivery: ClaimedDelivery): void {
    const { id, tenant_id } = delivery.endpoint;
    const trying = this.attempt(delivery)
      .catch((error: unknown) => this.logger.error(error, `Delivery ${delivery.id} failed within`))
      .finally(() => {
        this.underWay.giveBack(tenant_id, 1);
        this.wake({ webhook_id: id, tenant_id });
      });
    this.underWay.follow(trying);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, body, endpoint } = delivery;
    const outcome = await this.postman.deliver(endpoint, id, body, this.stopping.signal);
    const isCutShort = this.stopping.signal.aborted && outcome.response_status === null;
    if (isCutShort) return this.queue.release(delivery);
    // Once more, since a result that is lost means that the receiver is sent it again.
    await this.queue.finish(delivery, outcome).catch(() => this.queue.finish(delivery, outcome));
  }
}
