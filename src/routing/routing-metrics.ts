import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { OnCommit } from '../platform/events/listeners';
import { ClusterGauges } from '../platform/metrics/cluster-gauges';
import { Metrics } from '../platform/metrics/metrics';
import { AGENT_STATES } from './agents/agent-state.rules';
import { OfferEvent, OfferMade } from './offers/offer.events';
import { OFFER_STATUSES } from './offers/offer.machine';

const ONLINE_STATES = AGENT_STATES.filter((state) => state !== 'offline');

/** The agents, and the offers that this instance commits. */
@Injectable()
export class RoutingMetrics {
  private readonly offers: Counter<'status'>;
  private readonly latency: Histogram;

  constructor({ registry }: Metrics, gauges: ClusterGauges) {
    this.offers = new Counter({
      name: 'vcq_offers_total',
      help: 'Offers of calls to agents by the status they got: pending when made, then how they ended',
      labelNames: ['status'],
      registers: [registry],
    });
    for (const status of OFFER_STATUSES) this.offers.inc({ status }, 0);
    this.latency = new Histogram({
      name: 'vcq_offer_latency_seconds',
      help: 'Time from the moment at which a call waited and its agent was available to the offer',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
    gauges.register({
      name: 'vcq_agents',
      help: 'Agents by state, without those who are offline',
      sql: `SELECT ARRAY[state] AS labels, count(*) AS value FROM presences WHERE state <> 'offline' GROUP BY state`,
      labels: ['state'],
      labelValues: ONLINE_STATES,
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
