import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Database } from '../../../src/platform/database/database';
import {
  type StoredObject,
  StoredObjectsService,
} from '../../../src/platform/storage/stored-objects.service';
import { someId } from '../builders';
import type { StorageFolder } from '../service/storage-folder';
import { startTestApp, type TestApp } from '../test-app';
import { until } from '../until';

interface Row {
  kept: boolean;
  /** The rest of the lease in minutes, rounded. */
  lease: number | null;
}

export async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** Writes stored objects and checks their rows and files. */
export class StoredObjectsScene {
  private constructor(
    readonly test: TestApp,
    readonly folder: StorageFolder,
  ) {}

  static async start(folder: StorageFolder): Promise<StoredObjectsScene> {
    return new StoredObjectsScene(await startTestApp({ env: folder.env }), folder);
  }

  async stop(): Promise<void> {
    await this.test.close();
    this.folder.remove();
  }

  get objects(): StoredObjectsService {
    return this.test.get(StoredObjectsService);
  }

  /** Writes an object with the content `content`. */
  write(tenantId: string = someId()): Promise<StoredObject> {
    return this.objects.write(tenantId, 'probes', chunks('con', 'tent'));
  }

  /** Writes `count` objects concurrently. @returns their keys */
  async writeMany(count: number): Promise<string[]> {
    const written = await Promise.all(Array.from({ length: count }, () => this.write()));
    return written.map(({ key }) => key);
  }

  /** Keeps the object in a transaction that adds no record. `rest` runs in the transaction and may wait or throw. */
  keep(key: string, rest: () => Promise<void> = async () => {}): Promise<void> {
    return this.test.get(Database).tenant(key.slice(0, 36), async (tx) => {
      await this.objects.keep(tx, key);
      await rest();
    });
  }

  async rowOf(key: string): Promise<Row | undefined> {
    const { rows } = await this.test.db.query<Row>(
      `SELECT discard_at IS NULL AS kept, round(extract(epoch FROM discard_at - now()) / 60)::int AS lease
       FROM stored_objects WHERE key = $1`,
      [key],
    );
    return rows[0];
  }

  async keysOf(tenantId: string): Promise<string[]> {
    const { rows } = await this.test.db.query<{ key: string }>(
      'SELECT key FROM stored_objects WHERE tenant_id = $1',
      [tenantId],
    );
    return rows.map(({ key }) => key);
  }

  /** What the tenant's objects reserve, in bytes; null for those without a reservation. */
  async reservedBytesOf(tenantId: string): Promise<(number | null)[]> {
    const { rows } = await this.test.db.query<{ reserved: number | null }>(
      'SELECT reserved_bytes::float8 AS reserved FROM stored_objects WHERE tenant_id = $1',
      [tenantId],
    );
    return rows.map(({ reserved }) => reserved);
  }

  isStored(key: string): boolean {
    return existsSync(join(this.folder.path, key));
  }

  filesOf(tenantId: string): string[] {
    return this.folder.files().filter((file) => file.startsWith(tenantId));
  }

  /** Sweeps until the rows are deleted, because the application's own sweep may have locked some of them. */
  async sweepUntilGone(keys: string[]): Promise<void> {
    for (const key of keys) {
      await until(async () => {
        await this.objects.sweep();
        return !(await this.rowOf(key));
      });
    }
    for (const key of keys) await this.expectGone(key);
  }

  async expectGone(key: string): Promise<void> {
    const actual = { key, row: await this.rowOf(key), stored: this.isStored(key) };
    expect(actual).toEqual({ key, row: undefined, stored: false });
  }

  async expectLeased(key: string): Promise<void> {
    const actual = { key, row: await this.rowOf(key), stored: this.isStored(key) };
    expect(actual).toEqual({ key, row: { kept: false, lease: 15 }, stored: true });
  }

  async expectKept(key: string): Promise<void> {
    const actual = { key, row: await this.rowOf(key), stored: this.isStored(key) };
    expect(actual).toEqual({ key, row: { kept: true, lease: null }, stored: true });
  }

  /** Lets the leases end `milliseconds` from now. */
  async endLeases(keys: string[], milliseconds = -1): Promise<void> {
    await this.test.db.query(
      `UPDATE stored_objects SET discard_at = clock_timestamp() + make_interval(secs => $2 / 1000.0)
       WHERE key = ANY ($1) AND discard_at IS NOT NULL`,
      [keys, milliseconds],
    );
  }

  /** Creates what a process killed during a write leaves behind, with an expired lease. @returns the key */
  async simulateKilledWrite(): Promise<string> {
    const tenantId = someId();
    const key = `${tenantId}/probes/${randomUUID()}`;
    mkdirSync(dirname(join(this.folder.path, key)), { recursive: true });
    writeFileSync(join(this.folder.path, `${key}.part`), 'half');
    await this.test.db.query(
      `INSERT INTO stored_objects (key, tenant_id, discard_at) VALUES ($1, $2, now() - interval '1 second')`,
      [key, tenantId],
    );
    return key;
  }

  /** Replaces the object by something that the storage cannot delete. @returns a function that removes it */
  makeUndeletable(key: string): () => void {
    const path = join(this.folder.path, key);
    rmSync(path, { force: true });
    mkdirSync(join(path, 'in-the-way'), { recursive: true });
    return () => rmSync(path, { recursive: true });
  }
}
