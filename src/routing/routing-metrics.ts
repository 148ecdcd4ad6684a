import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { OnCommit } from '../platform/events/listeners';
import { Metrics } from '../platform/health/metrics';
import { OfferEvent, OfferMade } from './offers/offer.events';

/** Counts and times the offers that this instance commits, for /metrics. */
@Injectable()
export class RoutingMetrics {
  private readonly offers: Counter<'status'>;
  private readonly latency: Histogram;

  constructor({ registry }: Metrics) {
    this.offers = new Counter({
      name: 'vcq_offers_total',
      help: 'Offers of calls to agents by the status they got: pending when made, then how they ended',
      labelNames: ['status'],
      registers: [registry],
    });
    this.latency = new Histogram({
      name: 'vcq_offer_latency_seconds',
      help: 'Time from the moment at which a call waited and its agent was available to the offer',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  }

  @OnCommit(OfferEvent)
  onOffer({ status }: OfferEvent): void {
    this.offers.inc({ status });
  }

  @OnCommit(OfferMade)
  onMade({ possible_since, occurred_at }: OfferMade): void {
    if (possible_since === null) return;
    const milliseconds = Date.parse(occurred_at) - Date.parse(possible_since);
    // The clocks of instances may differ slightly.
    this.latency.observe(Math.max(0, milliseconds) / 1000);
  }
}
