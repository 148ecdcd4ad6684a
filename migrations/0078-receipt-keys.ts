import type { MigrationInterface, QueryRunner } from 'typeorm';

const keysTable = (idType: string): string => `
  DROP TABLE receipt_keys;
  CREATE TABLE receipt_keys (
    id ${idType} CONSTRAINT receipt_keys_pkey PRIMARY KEY,
    public_key text NOT NULL,
    sealed_private_key text NOT NULL,
    inserted_at timestamptz(3) NOT NULL
  );
  ALTER TABLE receipt_keys ENABLE ROW LEVEL SECURITY;
  ALTER TABLE receipt_keys FORCE ROW LEVEL SECURITY;
  CREATE POLICY receipt_keys_system_scope ON receipt_keys
    USING ((SELECT current_setting('app.system', true) = 'on'))
    WITH CHECK ((SELECT current_setting('app.system', true) = 'on'));
`;

/** Gives the keys of receipts ids that secrets are resealed by. No earlier release has written to the table. */
export class ReceiptKeys1780000000078 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keysTable('uuid'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(keysTable('text'));
  }
}
