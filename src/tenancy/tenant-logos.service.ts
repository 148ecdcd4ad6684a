import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock';
import { Database } from '../platform/database/database';
import { OnCommit } from '../platform/events/listeners';
import { notFound } from '../platform/http/errors/api-error';
import { PictureCache, type PictureAddress } from './pictures/picture-cache';
import { resizeToPng } from './pictures/resize-to-png';
import { RateLimiter } from '../platform/rate-limit/rate-limiter';
import { logoPath } from './logo-url';
import { TenantUpdated } from './tenant.events';
import type { TenantDto } from './tenant.dto';
import { TenantSettingsService } from './tenant-settings.service';

const LOGO_SIDE_PIXELS = 512;

/** Stores and serves uploaded logos. */
@Injectable()
export class TenantLogosService {
  private readonly cache: PictureCache;

  constructor(
    private readonly database: Database,
    private readonly settings: TenantSettingsService,
    private readonly rateLimiter: RateLimiter,
    clock: Clock,
  ) {
    this.cache = new PictureCache(clock, (address) => this.readContent(address));
  }

  /** @throws 422 for a file that is not an accepted picture; 429 for too many uploads in an hour */
  async replace(tenantId: string, picture: Buffer): Promise<TenantDto> {
    await this.rateLimiter.consume('logo', tenantId);
    const content = await resizeToPng(tenantId, picture, { side: LOGO_SIDE_PIXELS }, 'file');
    const hash = createHash('sha256').update(content).digest('hex');
    await this.database.tenant(tenantId, async (tx) => {
      await this.settings.change(tx, tenantId, () => ({ logo_url: logoPath(tenantId, hash) }));
      // The row still exists when the same picture is uploaded again.
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

  /** The PNG with this hash. @throws 404 unless it is the current logo of an active tenant */
  async find(tenantId: string, hash: string): Promise<Buffer> {
    const id = tenantId.toLowerCase();
    const content = await this.cache.find({ tenantId: id, ownerId: id, hash });
    if (!content) throw notFound('Logo');
    return content;
  }

  @OnCommit(TenantUpdated)
  onUpdated({ tenant_id }: TenantUpdated): void {
    this.cache.drop(tenant_id, tenant_id);
  }

  private async readContent({ tenantId, hash }: PictureAddress): Promise<Buffer | undefined> {
    const [rows] = await this.database.readTenant<[{ content: Buffer }]>(tenantId, [
      {
        text: `SELECT l.content FROM tenant_logos l JOIN tenants t ON t.id = l.tenant_id
               WHERE l.tenant_id = $1 AND l.content_hash = $2 AND t.suspended_at IS NULL`,
        values: [tenantId, hash],
      },
    ]);
    return rows[0]?.content;
  }
}
