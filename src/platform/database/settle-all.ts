/**
 * As Promise.all, but rejects only when no promise is pending any more. Use it for statements of one transaction: after
 * a rejection the transaction is rolled back and its connection is released, so a statement that is sent later would
 * run in another transaction.
 * @throws the error of the first promise, in the order of the list, that was rejected
 */
export async function settleAll<T extends readonly unknown[] | []>(
  promises: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }) as { -readonly [Index in keyof T]: Awaited<T[Index]> };
}
