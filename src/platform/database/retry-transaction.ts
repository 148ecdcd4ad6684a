/**
 * Thrown in a transaction that has read rows which it should have locked earlier, in another order. It is rolled back and
 * run again, as after a deadlock, but without a warning: the conflict was avoided.
 */
export class RetryTransaction extends Error {
  override readonly name = 'RetryTransaction';
}
