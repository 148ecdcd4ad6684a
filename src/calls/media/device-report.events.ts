import { CallEvent } from '../call.events';

/** The customer of a waiting call reported another state of their device, which staff see in the rows of the line. */
export class DeviceReported extends CallEvent {
  readonly type = 'call.device_reported';

  /** The call has the latest report. */
  override get isStored() {
    return false;
  }

  /** The customer caused it. */
  override get audited() {
    return 'never' as const;
  }
}
