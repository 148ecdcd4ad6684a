import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { CONFIG, type Config } from '../../platform/config/config';
import { RecurringTask } from '../../platform/jobs/recurring-task';
import { TaskIntervals } from '../../platform/jobs/task-intervals';
import { type SpanDescription, traced } from '../../platform/tracing/tracer';
import { requestContext } from '../../platform/logging/request-context';
import { OutboundGate } from '../../platform/database/installation/outbound-gate';
import { AttemptRecorder } from './attempt-recorder';
import {
  type ClaimedDelivery,
  DeliveryQueue,
  type DueWebhook,
  MAX_IN_FLIGHT_PER_WEBHOOK,
} from './delivery-queue';
import { WebhookSender } from './webhook-sender';
import { withoutResumeLink } from './without-resume-link';
import { InFlightLimiter } from './in-flight-limiter';

const DISPATCH_INTERVAL_MS = 1000;
/** How long a stop waits for attempts in flight. */
const STOP_TIMEOUT_MS = 4000;

/** It begins a trace: an attempt may be made hours after the request. */
const ATTEMPT_SPAN: SpanDescription = { name: 'webhook attempt', kind: SpanKind.CONSUMER, carrier: {} };

/**
 * Attempts the deliveries that are due. Each webhook is served separately, a few deliveries at a time, so a slow
 * receiver delays only its own deliveries.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Webhooks');
  private readonly task: RecurringTask;
  private readonly inFlight = new InFlightLimiter();
  private readonly stopping = new AbortController();
  /** Webhooks that are being served. `again` asks for another turn after the present one. */
  private readonly turns = new Map<string, { again: boolean }>();
  /** The webhook that was served last. The next round starts after it, so that no webhook is always the last. */
  private lastServedId = '';

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly recorder: AttemptRecorder,
    private readonly gate: OutboundGate,
    intervals: TaskIntervals,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.task = new RecurringTask('Webhooks', intervals.of(DISPATCH_INTERVAL_MS), () => this.dispatch());
  }

  onApplicationBootstrap(): void {
    if (this.config.isWorker) this.task.start();
  }

  /** Aborts attempts that take too long and releases their deliveries, to be attempted by another instance or later. */
  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
    const timer = setTimeout(() => this.stopping.abort(), STOP_TIMEOUT_MS);
    await this.inFlight.whenIdle();
    clearTimeout(timer);
  }

  /** Serves every webhook that has deliveries due. */
  async dispatch(): Promise<void> {
    if (this.gate.isPaused) return;
    const due = await this.queue.findDue();
    const from = due.findIndex(({ webhook_id }) => webhook_id > this.lastServedId);
    for (const webhook of from > 0 ? [...due.slice(from), ...due.slice(0, from)] : due) {
      if (await this.serve(webhook)) this.lastServedId = webhook.webhook_id;
    }
  }

  /**
   * Serves one webhook in the background, outside of the current request: it may send deliveries of other requests, and
   * the audit log must not attribute their effects to this one.
   */
  wake(webhook: DueWebhook): void {
    this.inFlight.track(requestContext.exit(() => this.serve(webhook)).then(() => {}));
  }

  /**
   * Claims due deliveries of a webhook and starts their attempts. A call during the webhook's turn gives it another turn
   * after that. Never throws.
   * @returns false if the limit of attempts in flight leaves no place: the next round serves the webhook
   */
  private async serve(webhook: DueWebhook): Promise<boolean> {
    const { webhook_id, tenant_id } = webhook;
    const current = this.turns.get(webhook_id);
    if (current) current.again = true;
    if (current || !this.config.isWorker || this.task.isStopped || this.gate.isPaused) return true;
    const places = this.inFlight.acquire(tenant_id, MAX_IN_FLIGHT_PER_WEBHOOK);
    if (places === 0) return false;
    const turn = { again: false };
    this.turns.set(webhook_id, turn);
    const claimed = await this.claim(webhook_id, places);
    this.inFlight.release(tenant_id, places - claimed.length);
    for (const delivery of claimed) this.start(delivery);
    this.turns.delete(webhook_id);
    if (turn.again) this.wake(webhook);
    return true;
  }

  private async claim(webhookId: string, places: number): Promise<ClaimedDelivery[]> {
    try {
      return await this.queue.claim(webhookId, places);
    } catch (error) {
      // The deliveries stay due, and a failure here must not keep other webhooks from their turn.
      this.logger.error(error, `Deliveries of webhook ${webhookId} could not be claimed`);
      return [];
    }
  }

  private start(delivery: ClaimedDelivery): void {
    const { id, tenant_id } = delivery.endpoint;
    const attempt = traced(ATTEMPT_SPAN, () => this.attempt(delivery))
      .catch((error: unknown) =>
        this.logger.error(error, `The attempt of delivery ${delivery.id} could not be made or recorded`),
      )
      .finally(() => {
        this.inFlight.release(tenant_id, 1);
        this.wake({ webhook_id: id, tenant_id });
      });
    this.inFlight.track(attempt);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { id, body, endpoint } = delivery;
    const result = await this.sender.deliver(endpoint, id, body, this.stopping.signal);
    const outcome = withoutResumeLink(result, body);
    const isAborted = this.stopping.signal.aborted && outcome.response_status === null;
    if (isAborted) return this.queue.release(delivery);
    // Recording is retried once, because the receiver gets the delivery again if its result is lost.
    await this.recorder.record(delivery, outcome).catch(() => this.recorder.record(delivery, outcome));
  }
}
