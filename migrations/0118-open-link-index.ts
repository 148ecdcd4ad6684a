import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * The links that count towards the plan. Neither use_count nor max_uses is part of the index: a join would have to write all
 * indexes of the link.
 */
export class OpenLinkIndex1780000000118 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'access_links_open_idx',
      on: 'access_links (department_id, expires_at) WHERE cancelled_at IS NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX access_links_open_idx');
  }
}
