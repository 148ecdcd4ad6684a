import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { TestApp } from '../test-app';

export interface SentStatement {
  client: PoolClient;
  text: string;
  /** Of a prepared statement. */
  name?: string | undefined;
}

interface Spy {
  mock: { calls: readonly unknown[][] };
  mockRestore(): void;
}

/** Does the work. @returns what the application has sent to PostgreSQL meanwhile, each connection's statements in order */
export async function sentStatements(test: TestApp, work: () => Promise<unknown>): Promise<SentStatement[]> {
  const pool = (test.get(DataSource).driver as PostgresDriver).master as Pool;
  const spies = new Map<PoolClient, Spy>();
  const watch = (client: PoolClient) => {
    if (!spies.has(client)) spies.set(client, jest.spyOn(client, 'query'));
  };
  pool.on('acquire', watch);
  try {
    await work();
    return [...spies].flatMap(([client, { mock }]) =>
      mock.calls.map(([sent]) => ({
        client,
        ...(typeof sent === 'string' ? { text: sent } : statementOf(sent)),
      })),
    );
  } finally {
    pool.off('acquire', watch);
    for (const spy of spies.values()) spy.mockRestore();
  }
}

const statementOf = (sent: unknown) => sent as { text: string; name?: string };
