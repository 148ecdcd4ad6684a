/** Stops the PostgreSQL server and removes the temporary folder. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.testPostgres?.stop();
  await globalThis.testFolder?.remove();
}
