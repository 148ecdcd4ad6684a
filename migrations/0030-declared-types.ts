import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files and recordings whose content type is only declared by the client, because they have no signature. */
export class DeclaredTypes1780000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_files ADD is_type_declared boolean NOT NULL DEFAULT false;
      ALTER TABLE recordings ADD is_type_declared boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE recordings DROP is_type_declared;
      ALTER TABLE call_files DROP is_type_declared;
    `);
  }
}
