import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { OutboundGate } from '../database/installation/outbound-gate';
import { Metrics } from '../metrics/metrics';

/** The metric vcq_outbound_paused. */
@Injectable()
export class OutboundMetric implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly gate: OutboundGate,
  ) {}

  onModuleInit(): void {
    const { gate } = this;
    const gauge: Gauge = new Gauge({
      name: 'vcq_outbound_paused',
      help: 'Whether mails and webhooks wait because the installation is paused: 1 or 0',
      registers: [this.metrics.registry],
      collect: () => gauge.set(gate.isPaused ? 1 : 0),
    });
  }
}
