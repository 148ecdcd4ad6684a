import type { CallStatusDto } from './public-call.dto';
import type { QueuePosition } from '../queue/queue';

/** What customers receive of their call's position over HTTP. */
export function callStatusOf({
  call_id,
  status,
  position,
  estimated_wait_time,
  estimated_wait_range,
  has_estimate,
  ringing,
  callback,
}: QueuePosition): CallStatusDto {
  return {
    call_id,
    status,
    position,
    estimated_wait_time,
    estimated_wait_range,
    has_estimate,
    ringing,
    callback,
  };
}
