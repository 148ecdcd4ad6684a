import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal';
import { hasMinimumRole } from '../../platform/access/roles';
import { Clock } from '../../platform/clock/clock';
import { Database } from '../../platform/database/database';
import type { Transaction } from '../../platform/database/transaction';
import { EventBus } from '../../platform/events/event-bus';
import { OnCommit } from '../../platform/events/listeners';
import { forbidden, notFound } from '../../platform/http/errors/api-error';
import { type PictureAddress, PictureCache } from '../../tenancy/pictures/picture-cache';
import { resizeToPng } from '../../tenancy/pictures/resize-to-png';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter';
import { User } from './user.entity';
import { UserUpdated } from './user.events';
import { ensureMayManage } from './user.rules';

const AVATAR = { side: 256, isSquare: true, formats: ['png', 'jpeg', 'webp'] } as const;

/** Stored without a host, so that it stays valid when PUBLIC_URL changes. */
const avatarPath = ({ tenantId, ownerId, hash }: PictureAddress): string =>
  `/api/v1/avatars/${tenantId}/${ownerId}/${hash}.png`;

/** Stores and serves the photos of users. */
@Injectable()
export class UserAvatarsService {
  private readonly cache: PictureCache;

  constructor(
    private readonly database: Database,
    private readonly rateLimiter: RateLimiter,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {
    this.cache = new PictureCache(clock, (address) => this.readContent(address));
  }

  /**
   * @throws 403 unless the user is the actor or one whom the actor manages; 404; 422 for a file that is not an accepted
   *   picture; 429 for too many uploads in an hour
   */
  async replace(actor: Principal, userId: string, picture: Buffer): Promise<void> {
    ensureOwnOrManager(actor, userId);
    const { tenant_id } = actor;
    await this.database.tenant(tenant_id, (tx) => this.lockChangeable(tx, actor, userId));
    await this.rateLimiter.consume('avatar', userId);
    const content = await resizeToPng(tenant_id, picture, AVATAR, 'file');
    const hash = createHash('sha256').update(content).digest('hex');
    await this.database.tenant(tenant_id, async (tx) => {
      const avatar_url = avatarPath({ tenantId: tenant_id, ownerId: userId, hash });
      if (!(await this.change(tx, actor, userId, avatar_url))) return;
      await tx.query(
        `INSERT INTO user_avatars (user_id, tenant_id, content, content_hash, updated_at) VALUES ($1, $2, $3, $4, $5)`,
        [userId, tenant_id, content, hash, this.clock.now()],
      );
    });
  }

  /** @throws 403, 404 as replace */
  async remove(actor: Principal, userId: string): Promise<void> {
    ensureOwnOrManager(actor, userId);
    await this.database.tenant(actor.tenant_id, (tx) => this.change(tx, actor, userId, null));
  }

  /** The PNG with this hash. @throws 404 unless it is the current photo of a user of an active tenant */
  async find({ tenantId, ownerId, hash }: PictureAddress): Promise<Buffer> {
    const address = { tenantId: tenantId.toLowerCase(), ownerId: ownerId.toLowerCase(), hash };
    const content = await this.cache.find(address);
    if (!content) throw notFound('Photo');
    return content;
  }

  @OnCommit(UserUpdated)
  onUpdated({ tenant_id, subject_id, changed }: UserUpdated): void {
    if (changed.includes('avatar_url')) this.cache.drop(tenant_id, subject_id);
  }

  /** Deletes the former photo. @returns whether the user has another one now, or none any more */
  private async change(
    tx: Transaction,
    actor: Principal,
    id: string,
    avatar_url: string | null,
  ): Promise<boolean> {
    const { tenant_id } = actor;
    const user = await this.lockChangeable(tx, actor, id);
    if (user.avatar_url === avatar_url) return false;
    const now = this.clock.now();
    await tx.repository(User).update({ id, tenant_id }, { avatar_url, updated_at: now });
    await tx.query('DELETE FROM user_avatars WHERE tenant_id = $1 AND user_id = $2', [tenant_id, id]);
    await this.events.record(tx, new UserUpdated(tenant_id, id, now.toISOString(), ['avatar_url']));
    return true;
  }

  /** @throws 403 for a user whom the actor does not manage; 404 */
  private async lockChangeable(tx: Transaction, actor: Principal, id: string): Promise<User> {
    const { tenant_id } = actor;
    const where = { id, tenant_id };
    const user = await tx.repository(User).findOne({ where, lock: { mode: 'for_no_key_update' } });
    if (!user) throw notFound('User');
    if (id !== actor.user_id) ensureMayManage(actor.role, user.role);
    return user;
  }

  private async readContent({ tenantId, ownerId, hash }: PictureAddress): Promise<Buffer | undefined> {
    const [rows] = await this.database.readTenant<[{ content: Buffer }]>(tenantId, [
      {
        text: `SELECT a.content FROM user_avatars a JOIN tenants t ON t.id = a.tenant_id
               WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.content_hash = $3 AND t.suspended_at IS NULL`,
        values: [tenantId, ownerId, hash],
      },
    ]);
    return rows[0]?.content;
  }
}

function ensureOwnOrManager({ user_id, role }: Principal, userId: string): void {
  if (userId === user_id || hasMinimumRole(role, 'manager')) return;
  throw forbidden('Only managers can change the photos of other users.');
}
