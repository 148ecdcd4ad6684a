import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import { EventBus } from '../../platform/events/event-bus';
import { unprocessable } from '../../platform/http/errors/api-error';
import { Call } from '../call.entity';
import { DeviceReported } from './device-report.events';
import type { DeviceReportDto } from './media.dto';

/** What the customer's page reports about its device: the latest report of a call counts. */
@Injectable()
export class DeviceReports {
  constructor(
    private readonly database: Database,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the report. The version of the call stays: customers do not see the report, and staff receive the rows of the line.
   * A report that equals the latest one changes nothing.
   * @throws 422 invalid_state once the call has ended
   */
  async save(tenantId: string, callId: string, report: DeviceReportDto): Promise<void> {
    const { camera, microphone, network = null, relay = null } = report;
    const stored = JSON.stringify({ camera, microphone, network, relay });
    const now = this.clock.now();
    await this.database.tenant(tenantId, async (tx) => {
      const call = await tx.one<Call>(
        `UPDATE calls c SET device_report = $3, device_reported_at = $4
         WHERE c.tenant_id = $1 AND c.id = $2 AND c.ended_at IS NULL AND c.device_report IS DISTINCT FROM $3::jsonb
         RETURNING ${tx.columnsOf(Call, 'c')}`,
        [tenantId, callId, stored, now],
      );
      if (call?.status === 'queued') await this.events.record(tx, new DeviceReported(call, now));
      if (call) return;
      const open = await tx.one('SELECT FROM calls WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL', [
        tenantId,
        callId,
      ]);
      if (!open) throw unprocessable('invalid_state', 'The call has ended.');
    });
  }
}
