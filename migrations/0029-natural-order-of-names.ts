import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The collation by which lists sort names, and the indexes of names in its order. */
export class NaturalOrderOfNames1780000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE COLLATION natural_language (provider = icu, locale = 'und');
      DROP INDEX departments_name_idx, customers_name_idx, tags_name_idx;
      CREATE INDEX departments_name_idx ON departments (tenant_id, name COLLATE natural_language, id);
      CREATE INDEX customers_name_idx ON customers (tenant_id, name COLLATE natural_language, id);
      CREATE INDEX tags_name_idx ON tags (tenant_id, name COLLATE natural_language, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX departments_name_idx, customers_name_idx, tags_name_idx;
      CREATE INDEX departments_name_idx ON departments (tenant_id, name, id);
      CREATE INDEX customers_name_idx ON customers (tenant_id, name, id);
      CREATE INDEX tags_name_idx ON tags (tenant_id, name, id);
      DROP COLLATION natural_language;
    `);
  }
}
