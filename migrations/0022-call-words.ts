import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Search for calls, as for customers: the words are in a table of their own, whose policy compares them with the search
 * term. An index on `calls` itself would be written at every change of a call.
 */
export class CallWords1780000000022 implements MigrationInterface {
  /** The batches of existing calls are committed one by one, so that none blocks the calls in progress. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A run that failed after some batches left its objects behind.
    await this.down(runner);
    await runner.query(`
      CREATE TABLE call_words (
        call_id uuid CONSTRAINT call_words_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        words text NOT NULL,
        CONSTRAINT call_words_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('call_words')}
      CREATE POLICY call_words_search ON call_words AS RESTRICTIVE FOR SELECT
        USING (words LIKE COALESCE(NULLIF(current_setting('app.search', true), ''), '%'));
      -- Without fastupdate each insert updates the index itself, instead of one in thousands for all of them.
      CREATE INDEX call_words_search_idx ON call_words USING gin (tenant_id, words gin_trgm_ops)
        WITH (fastupdate = off);

      -- The line break keeps a search from matching the end of the name together with the start of the e-mail.
      CREATE FUNCTION call_words_of(name text, email text) RETURNS text
        LANGUAGE sql STABLE PARALLEL SAFE RETURN searchable(concat_ws(E'\\n', name, email));

      CREATE FUNCTION index_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO call_words (call_id, tenant_id, words)
        VALUES (NEW.id, NEW.tenant_id, call_words_of(NEW.customer_name, NEW.customer_email))
        ON CONFLICT ON CONSTRAINT call_words_pkey DO UPDATE SET words = excluded.words;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_index_words AFTER INSERT OR UPDATE OF customer_name, customer_email ON calls
        FOR EACH ROW EXECUTE FUNCTION index_call();

      -- The text is escaped after unaccent, which converts full-width letters to % and _, too.
      CREATE FUNCTION search_pattern(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
        RETURN concat('%', regexp_replace(searchable($1), '[\\\\%_]', '\\\\\\&', 'g'), '%');

      -- Returns the tenant's calls that contain the text, or NULL if there are more than max_count.
      -- EXECUTE plans each search separately, because short and long texts need different plans.
      CREATE FUNCTION search_calls(wanted text, max_count integer) RETURNS uuid[] LANGUAGE plpgsql AS $$
      DECLARE
        found uuid[];
      BEGIN
        PERFORM set_config('app.search', search_pattern(wanted), true);
        EXECUTE $query$ SELECT COALESCE(array_agg(call_id), '{}') FROM (
            SELECT call_id FROM call_words
            WHERE tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid LIMIT $1) AS matches $query$
          INTO found USING max_count + 1;
        PERFORM set_config('app.search', '', true);
        RETURN CASE WHEN cardinality(found) <= max_count THEN found END;
      END $$;
    `);
    await runner.query(FILL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER IF EXISTS calls_index_words ON calls;
      DROP FUNCTION IF EXISTS index_call, search_calls, search_pattern, call_words_of;
      DROP TABLE IF EXISTS call_words;
    `);
  }
}

/**
 * Adds the words of existing calls in batches. The trigger adds those of calls that join meanwhile. The scope is needed
 * because the policies apply to the owner, too.
 */
const FILL = `
  DO $$
  DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    batch uuid[];
  BEGIN
    PERFORM set_config('app.system', 'on', false);
    LOOP
      batch := ARRAY(SELECT id FROM calls WHERE id > last ORDER BY id LIMIT 5000);
      EXIT WHEN cardinality(batch) = 0;
      INSERT INTO call_words (call_id, tenant_id, words)
        SELECT id, tenant_id, call_words_of(customer_name, customer_email) FROM calls WHERE id = ANY (batch)
        ON CONFLICT ON CONSTRAINT call_words_pkey DO NOTHING;
      last := batch[cardinality(batch)];
      COMMIT;
    END LOOP;
    PERFORM set_config('app.system', 'off', false);
  END $$`;
