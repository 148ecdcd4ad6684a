import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { collectDefaultMetrics, Gauge } from 'prom-client';
import { packageInfo } from '../../platform/config/package-info';
import { Metrics } from '../../platform/metrics/metrics';

/** Gauges of prom-client whose names end as those of counters do, which Prometheus's conventions forbid. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The metrics of the process: its version, the delay of its event loop, and the default metrics of prom-client. */
@Injectable()
export class ProcessMetrics implements OnModuleDestroy {
  private readonly eventLoopDelay = new EventLoopDelay();

  constructor({ registry }: Metrics) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
    new Gauge({
      name: 'vcq_build_info',
      help: 'The version of the service; the value is always 1',
      labelNames: ['version'],
      registers: [registry],
    }).set({ version: packageInfo().version }, 1);
    const { eventLoopDelay } = this;
    const delay: Gauge = new Gauge({
      name: 'vcq_event_loop_delay_seconds',
      help: 'Longest delay of the event loop since the last scrape, or at least in the last 10 s',
      registers: [registry],
      collect: () => delay.set(eventLoopDelay.longestSeconds()),
    });
  }

  onModuleDestroy(): void {
    this.eventLoopDelay.stop();
  }
}

/** Several scrapers, or one that tries again, see a delay of the last seconds all the same. */
const MIN_PERIOD_MS = 10_000;
const RESOLUTION_MS = 10;

/** Measures how late timers are. */
class EventLoopDelay {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private periodStart = performance.now();
  private longestBefore = 0;

  constructor() {
    this.histogram.enable();
  }

  stop(): void {
    this.histogram.disable();
  }

  /** The longest delay since the last call that is at least 10 s ago, and in the period before that call. */
  longestSeconds(): number {
    const longest = Math.max(0, this.histogram.max / 1e9 - RESOLUTION_MS / 1000);
    const seconds = Math.max(longest, this.longestBefore);
    if (performance.now() - this.periodStart >= MIN_PERIOD_MS) {
      this.periodStart = performance.now();
      this.longestBefore = longest;
      this.histogram.reset();
    }
    return seconds;
  }
}
