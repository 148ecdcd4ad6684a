import { Injectable } from '@nestjs/common';
import { CallUpdated } from '../../calls/call.events';
import { LaneChanged } from '../../calls/line/line.events';
import { AfterCommit } from '../../platform/events/listeners';
import { QueueBroadcast } from './queue-broadcast';

/** Sends new estimates when calls wait for other agents than before, which changes no position. */
@Injectable()
export class EstimateBroadcast {
  constructor(private readonly queues: QueueBroadcast) {}

  /** The required skills may have been dropped. */
  @AfterCommit(LaneChanged)
  async onLaneChanged({ tenant_id, department_id }: LaneChanged): Promise<void> {
    this.queues.rateChanged(tenant_id, department_id);
  }

  @AfterCommit(CallUpdated)
  async onUpdated({ tenant_id, lines, changed }: CallUpdated): Promise<void> {
    if (!changed.includes('required_skills')) return;
    for (const id of lines) this.queues.rateChanged(tenant_id, id);
  }
}
