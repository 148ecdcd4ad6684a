import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { AfterCommit } from '../platform/events/listeners';
import { notFound } from '../platform/http/errors/api-error';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { logoPath } from './logo-url';
import { pngWithin } from './png-image';
import { TenantUpdated } from './tenant.events';
import type { TenantDto } from './tenant.dto';
import { TenantSettings } from './tenant-settings';

/** Pixels. */
const SIDE = 512;
const REMEMBERED_BYTES = 32 * 1024 * 1024;
/** How long another instance may show a logo that was replaced, or this one that of a suspended tenant. */
const REMEMBERED_MS = 10_000;

interface Address {
  tenantId: string;
  hash: string;
}

const keyOf = ({ tenantId, hash }: Address): string => `${tenantId} ${hash}`;

/** Uploaded logos. */
@Injectable()
export class TenantLogos {
  /** A link that is sent to thousands makes thousands of requests; those at the same time share one read. */
  private readonly remembered: LRUCache<string, Buffer, Address>;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly settings: TenantSettings,
    private readonly rateLimiter: RateLimiter,
    clock: Clock,
  ) {
    this.remembered = new LRUCache<string, Buffer, Address>({
      maxSize: REMEMBERED_BYTES,
      sizeCalculation: (content) => content.length,
      ttl: REMEMBERED_MS,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
      // Who asks while the logo is being replaced gets the old one, which is not kept.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.read(context),
    });
  }

  /** @throws 422 for anything but a picture, 429 for too many in an hour */
  async replace(tenantId: string, picture: Buffer): Promise<TenantDto> {
    await this.rateLimiter.consume('logo', tenantId);
    const content = await this.inTurn(() => pngWithin(SIDE, picture, 'file'));
    const hash = createHash('sha256').update(content).digest('hex');
    await this.database.tenant(tenantId, async (tx) => {
      await this.settings.change(tx, tenantId, () => ({ logo_url: logoPath(tenantId, hash) }));
      // The same picture once more is there already.
      await tx.query(
        `INSERT INTO tenant_logos (tenant_id, content, content_hash, updated_at)
         SELECT id, $2, $3, updated_at FROM tenants WHERE id = $1 ON CONFLICT (tenant_id) DO NOTHING`,
        [tenantId, content, hash],
      );
    });
    return this.settings.get(tenantId);
  }

  async remove(tenantId: string): Promise<void> {
    await this.settings.update(tenantId, { logo_url: null });
  }

  /** The PNG with this hash. @throws 404 unless it is the tenant's logo now and the tenant is active */
  async find(tenantId: string, hash: string): Promise<Buffer> {
    const address = { tenantId: tenantId.toLowerCase(), hash };
    const content = await this.remembered.fetch(keyOf(address), { context: address });
    if (!content) throw notFound('Logo');
    return content;
  }

  @AfterCommit(TenantUpdated)
  async onUpdated({ tenant_id }: TenantUpdated): Promise<void> {
    for (const key of this.remembered.keys()) {
      if (key.startsWith(tenant_id)) this.remembered.delete(key);
    }
  }

  private async read({ tenantId, hash }: Address): Promise<Buffer | undefined> {
    const [rows] = await this.database.readTenant<[{ content: Buffer }]>(tenantId, [
      {
        text: `SELECT l.content FROM tenant_logos l JOIN tenants t ON t.id = l.tenant_id
               WHERE l.tenant_id = $1 AND l.content_hash = $2 AND t.suspended_at IS NULL`,
        values: [tenantId, hash],
      },
    ]);
    return rows[0]?.content;
  }

  /** One picture at a time: decoding takes threads that logins need, too, and 160 MB for 40 megapixels. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => {});
    return result;
  }
}
