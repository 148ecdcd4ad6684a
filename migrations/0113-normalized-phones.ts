import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Phones are compared in one notation (E.164), for which national numbers need the country of the company. The service
 * fills the column, of existing customers within minutes of the upgrade; until then their digits are compared, as before.
 */
export class NormalizedPhones1780000000113 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants ADD country text NOT NULL DEFAULT 'BR';
      ALTER TABLE customers ADD phone_normalized text;

      -- A release that does not know the column changes the phone alone: the old notation must not remain.
      CREATE FUNCTION forget_normalized_phone() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.phone_normalized := NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER customers_forget_phone BEFORE UPDATE OF phone ON customers
        FOR EACH ROW WHEN (NEW.phone IS DISTINCT FROM OLD.phone) EXECUTE FUNCTION forget_normalized_phone();

      -- A number is found as it was typed, by its digits, and by those of its international form.
      CREATE OR REPLACE FUNCTION index_customer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO customer_words (customer_id, tenant_id, words)
        VALUES (NEW.id, NEW.tenant_id, searchable(concat_ws(' ', NEW.name, NEW.email, NEW.phone, NEW.document,
          NEW.phone_key, NULLIF(ltrim(NEW.phone_normalized, '+'), NEW.phone_key), NEW.document_key)))
        ON CONFLICT ON CONSTRAINT customer_words_pkey DO UPDATE SET words = excluded.words
          WHERE customer_words.words <> excluded.words;
        RETURN NULL;
      END $$;
      DROP TRIGGER customers_index_words ON customers;
      CREATE TRIGGER customers_index_words
        AFTER INSERT OR UPDATE OF name, email, phone, phone_normalized, document ON customers
        FOR EACH ROW EXECUTE FUNCTION index_customer();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER customers_forget_phone ON customers;
      DROP FUNCTION forget_normalized_phone;
      CREATE OR REPLACE FUNCTION index_customer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO customer_words (customer_id, tenant_id, words)
        VALUES (NEW.id, NEW.tenant_id, searchable(
          concat_ws(' ', NEW.name, NEW.email, NEW.phone, NEW.document, NEW.phone_key, NEW.document_key)))
        ON CONFLICT ON CONSTRAINT customer_words_pkey DO UPDATE SET words = excluded.words;
        RETURN NULL;
      END $$;
      DROP TRIGGER customers_index_words ON customers;
      CREATE TRIGGER customers_index_words AFTER INSERT OR UPDATE OF name, email, phone, document ON customers
        FOR EACH ROW EXECUTE FUNCTION index_customer();
      ALTER TABLE customers DROP phone_normalized;
      ALTER TABLE tenants DROP country;
    `);
  }
}
