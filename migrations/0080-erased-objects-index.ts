import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * Finds the objects of an erasure that are still in the storage. While the storage is unavailable, or the installation is
 * paused, all objects that are due would be read for each erasure. Few objects have an erasure, and only until they are deleted.
 */
export class ErasedObjectsIndex1780000000080 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'stored_objects_erasure_idx',
      on: 'stored_objects (erasure_id) WHERE erasure_id IS NOT NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX stored_objects_erasure_idx');
  }
}
