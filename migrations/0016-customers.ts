import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Search for customers, and their number of calls. With row-level security PostgreSQL uses an index only for conditions
 * that reveal nothing about hidden rows (LEAKPROOF), which lower() and LIKE are not. So compared values are columns,
 * and the words are in a table whose own policy compares them with the search term: conditions of policies can use
 * every index for every role.
 */
export class Customers1780000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE EXTENSION IF NOT EXISTS unaccent;
      CREATE EXTENSION IF NOT EXISTS btree_gin;

      ALTER TABLE customers
        -- The keys are added only to databases of the development versions before 0.1.0.
        ADD COLUMN IF NOT EXISTS email_key text GENERATED ALWAYS AS (lower(email)) STORED,
        ADD COLUMN IF NOT EXISTS phone_key text GENERATED ALWAYS AS
          (NULLIF(regexp_replace(phone, '[^0-9]', '', 'g'), '')) STORED,
        ADD COLUMN IF NOT EXISTS document_key text GENERATED ALWAYS AS
          (NULLIF(upper(regexp_replace(document, '[^[:alnum:]]', '', 'g')), '')) STORED,
        ADD call_count integer NOT NULL DEFAULT 0,
        ADD last_call_at timestamptz(3);
      DROP INDEX customers_email_idx, customers_phone_idx;
      CREATE INDEX customers_email_idx ON customers (tenant_id, email_key, inserted_at, id);
      CREATE INDEX customers_phone_idx ON customers (tenant_id, phone_key, inserted_at, id);
      CREATE INDEX customers_document_idx ON customers (tenant_id, document_key) WHERE document_key IS NOT NULL;
      CREATE INDEX customers_name_idx ON customers (tenant_id, name, id);
      CREATE INDEX customers_inserted_idx ON customers (tenant_id, inserted_at, id);

      CREATE TABLE customer_words (
        customer_id uuid CONSTRAINT customer_words_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        words text NOT NULL,
        CONSTRAINT customer_words_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('customer_words')}
      CREATE POLICY customer_words_search ON customer_words AS RESTRICTIVE FOR SELECT
        USING (words LIKE COALESCE(NULLIF(current_setting('app.search', true), ''), '%'));

      -- In capitals, because the Greek sigma has two lower-case forms.
      CREATE FUNCTION searchable(words text) RETURNS text
        LANGUAGE sql STABLE PARALLEL SAFE RETURN upper(unaccent(words));

      -- Numbers are found with and without their punctuation.
      CREATE FUNCTION index_customer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO customer_words (customer_id, tenant_id, words)
        VALUES (NEW.id, NEW.tenant_id, searchable(
          concat_ws(' ', NEW.name, NEW.email, NEW.phone, NEW.document, NEW.phone_key, NEW.document_key)))
        ON CONFLICT ON CONSTRAINT customer_words_pkey DO UPDATE SET words = excluded.words;
        RETURN NULL;
      END $$;
      CREATE TRIGGER customers_index_words AFTER INSERT OR UPDATE OF name, email, phone, document ON customers
        FOR EACH ROW EXECUTE FUNCTION index_customer();

      -- Returns the customers of the scope for whom each word matches in one of its forms, without case and accents:
      -- [["João"], ["91234-5678", "912345678"]]. The longest word comes first because it is the most selective.
      -- Words are escaped after unaccent, which converts full-width letters to % and _, too.
      -- EXECUTE plans each word separately, because words such as "a" and "91234-5678" need different plans.
      CREATE FUNCTION search_customers(wanted jsonb) RETURNS SETOF uuid LANGUAGE plpgsql ROWS 100 AS $$
      DECLARE
        forms jsonb;
        form text;
        matching uuid[];
        of_form uuid[];
        found uuid[];
      BEGIN
        FOR forms IN SELECT value FROM jsonb_array_elements(wanted) ORDER BY length(value->>0) DESC LOOP
          matching := '{}';
          FOR form IN SELECT jsonb_array_elements_text(forms) LOOP
            PERFORM set_config('app.search', concat('%', regexp_replace(searchable(form), '[\\\\%_]', '\\\\\\&', 'g'), '%'), true);
            EXECUTE $query$ SELECT array_agg(customer_id) FROM customer_words
                WHERE tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
                  AND ($1 IS NULL OR customer_id = ANY ($1)) $query$
              INTO of_form USING found;
            matching := matching || of_form;
          END LOOP;
          found := matching;
        END LOOP;
        PERFORM set_config('app.search', '', true);
        RETURN QUERY SELECT unnest(found);
      END $$;

      CREATE FUNCTION count_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE customers SET call_count = call_count + 1, last_call_at = GREATEST(last_call_at, NEW.inserted_at)
        WHERE tenant_id = NEW.tenant_id AND id = NEW.customer_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_count AFTER INSERT ON calls
        FOR EACH ROW WHEN (NEW.customer_id IS NOT NULL) EXECUTE FUNCTION count_call();

      ALTER TABLE calls ADD erased_at timestamptz(3);

      -- The scope is needed because the policies apply to the owner, too. Updating the name indexes its words.
      SELECT set_config('app.system', 'on', true);
      UPDATE customers c SET name = name, (call_count, last_call_at) =
        (SELECT count(*), max(inserted_at) FROM calls k WHERE k.tenant_id = c.tenant_id AND k.customer_id = c.id);
      SELECT set_config('app.system', 'off', true);

      -- Without fastupdate each insert updates the index itself, instead of one in thousands for all of them.
      CREATE INDEX customer_words_search_idx ON customer_words USING gin (tenant_id, words gin_trgm_ops)
        WITH (fastupdate = off);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_count ON calls;
      DROP TRIGGER customers_index_words ON customers;
      DROP FUNCTION count_call, index_customer, search_customers, searchable;
      DROP TABLE customer_words;
      DROP INDEX customers_name_idx, customers_inserted_idx, customers_document_idx, customers_phone_idx,
        customers_email_idx;
      ALTER TABLE calls DROP erased_at;
      ALTER TABLE customers DROP call_count, DROP last_call_at;
      CREATE INDEX customers_email_idx ON customers (tenant_id, lower(email), inserted_at, id);
      CREATE INDEX customers_phone_idx ON customers (tenant_id, phone, inserted_at, id);
    `);
  }
}
