/** What changed in a department's queue. */
export interface QueueChange {
  tenantId: string;
  departmentId: string;
  /** Whether the service rate changed: then customers who keep their position receive their new estimate. */
  hasNewRate: boolean;
  /** Whether only the absence of customers changed: then all positions are the same. */
  isPresenceOnly: boolean;
  /** Whether only the service rate changed: then staff see no difference. Absent from instances of the previous release. */
  isRateOnly?: boolean;
}

/** What one broadcast of both has to send. */
export const mergeChanges = (waiting: QueueChange, added: QueueChange): QueueChange => ({
  ...added,
  hasNewRate: waiting.hasNewRate || added.hasNewRate,
  isPresenceOnly: waiting.isPresenceOnly && added.isPresenceOnly,
  isRateOnly: waiting.isRateOnly && added.isRateOnly,
});
