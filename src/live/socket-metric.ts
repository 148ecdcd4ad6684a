import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics';
import { SocketServer } from './socket-server';

/** The metric vcq_sockets. */
@Injectable()
export class SocketMetric {
  constructor({ registry }: Metrics, sockets: SocketServer) {
    const gauge: Gauge<'kind'> = new Gauge({
      name: 'vcq_sockets',
      help: 'Open sockets of this instance by kind: customer, staff',
      labelNames: ['kind'],
      registers: [registry],
      collect: () => {
        const counts = { customer: 0, staff: 0 };
        const open = sockets.isUp ? sockets.localSockets() : [];
        for (const { data } of open) counts[data.kind === 'customer' ? 'customer' : 'staff']++;
        gauge.set({ kind: 'customer' }, counts.customer);
        gauge.set({ kind: 'staff' }, counts.staff);
      },
    });
  }
}
