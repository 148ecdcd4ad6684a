import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Histogram, Registry } from 'prom-client';

/** The Prometheus registry behind /metrics. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  /**
   * Adds a request that has ended to the histogram, by the pattern of its route: with URLs, each id would add a time
   * series.
   */
  observe({ method, route }: Request, status: number, durationMs: number): void {
    const path = (route as { path?: unknown } | undefined)?.path;
    const labels = { method, route: typeof path === 'string' ? path : 'none', status };
    this.requests.observe(labels, durationMs / 1000);
  }
}
