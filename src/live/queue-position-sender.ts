import { Injectable } from '@nestjs/common';
import type { WaitingPosition } from '../calls/queue/queue';
import { Clock } from '../platform/clock/clock';
import { sendEvent } from '../platform/realtime/send-event';
import type { CustomerData, LiveSocket } from './socket.types';

/** Sends `queue_position`: the only place that does, so that a customer never receives the same position twice. */
@Injectable()
export class QueuePositionSender {
  constructor(private readonly clock: Clock) {}

  /**
   * Sends the position if it differs from the one the socket received last.
   * @param isEstimateSent whether the position is sent, too, if only its estimate differs
   * @param at when the position was read, ISO 8601
   * @returns whether it was sent
   */
  send(
    socket: LiveSocket,
    { call_id, position, estimated_wait_time, estimated_wait_range, queue_size, version }: WaitingPosition,
    isEstimateSent: boolean,
    at = this.clock.now().toISOString(),
  ): boolean {
    const data = socket.data as CustomerData;
    const hasMoved = data.lastSent?.position !== position;
    // The first agent who can be reached gives the customer a range, and leaves estimated_wait_time as it was.
    const hasNewEstimate =
      data.lastSent?.estimated_wait_time !== estimated_wait_time ||
      data.lastSent.estimated_wait_range?.low !== estimated_wait_range?.low ||
      data.lastSent.estimated_wait_range?.high !== estimated_wait_range?.high;
    if (!hasMoved && !(isEstimateSent && hasNewEstimate)) return false;
    data.lastSent = { position, estimated_wait_time, estimated_wait_range };
    const estimate = { estimated_wait_time, estimated_wait_range };
    sendEvent(socket, 'queue_position', { call_id, position, ...estimate, queue_size, version, at });
    return true;
  }
}
