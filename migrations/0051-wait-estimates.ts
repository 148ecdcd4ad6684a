import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * What customers are told of their wait, and what departments learn from waits and handle times. Triggers record each wait
 * and each part of a call that ends, in its transaction; a department that learns from them deletes them in its own. So
 * each counts once, whatever the clocks say and however many instances learn.
 */
export class WaitEstimates1780000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        -- The range as it was given at the join, in seconds; null if there was none.
        ADD estimated_wait_low integer,
        ADD estimated_wait_high integer,
        -- The estimates at the join that are not given to anybody (JoinEstimate); null if no agent was reachable.
        ADD join_estimate jsonb;

      CREATE TABLE ended_waits (
        id bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id uuid NOT NULL,
        department_id uuid NOT NULL,
        call_id uuid NOT NULL,
        -- Of a wait.
        outcome text CONSTRAINT ended_waits_outcome_check CHECK (outcome IN ('answered', 'left', 'censored')),
        -- Of a part: its handle time is known once its wrap-up has ended, too.
        part_id uuid,
        CONSTRAINT ended_waits_pkey PRIMARY KEY (department_id, id),
        CONSTRAINT ended_waits_kind_check CHECK ((outcome IS NULL) <> (part_id IS NULL))
      ) WITH (autovacuum_vacuum_scale_factor = 0.02);
      ${tenantPolicy('ended_waits')}

      CREATE TABLE wait_learning (
        department_id uuid CONSTRAINT wait_learning_pkey PRIMARY KEY
          CONSTRAINT wait_learning_department_id_fkey REFERENCES departments ON DELETE CASCADE,
        tenant_id uuid NOT NULL,
        -- {sum, weight, at}; by hour of the week in the second one.
        handle_times jsonb NOT NULL,
        handle_times_by_hour jsonb NOT NULL,
        waits jsonb NOT NULL,
        latencies jsonb NOT NULL,
        -- Seconds, the latest at the end.
        history real[] NOT NULL,
        in_use text NOT NULL
          CONSTRAINT wait_learning_in_use_check CHECK (in_use IN ('queue_length', 'last_wait', 'mean_wait')),
        ratios jsonb NOT NULL,
        -- How many waits were learned in all, and how many by which the ratios were computed.
        wait_count bigint NOT NULL,
        ratios_count bigint NOT NULL,
        learned_at timestamptz(3) NOT NULL
      );
      ${tenantPolicy('wait_learning')}

      -- The latest waits of each department, by which ranges are computed and estimators are compared.
      CREATE TABLE learned_waits (
        id bigint GENERATED ALWAYS AS IDENTITY,
        tenant_id uuid NOT NULL,
        department_id uuid NOT NULL
          CONSTRAINT learned_waits_department_id_fkey REFERENCES wait_learning ON DELETE CASCADE,
        -- Seconds.
        queue_length real NOT NULL,
        last_wait real,
        mean_wait real,
        waited real NOT NULL,
        idle boolean NOT NULL,
        answered boolean NOT NULL,
        CONSTRAINT learned_waits_pkey PRIMARY KEY (department_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.02);
      CREATE INDEX learned_waits_answered_idx ON learned_waits (department_id, id) WHERE answered AND NOT idle;
      ${tenantPolicy('learned_waits')}
    `);
    await runner.query(TRIGGERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_end_wait ON calls;
      DROP TRIGGER call_parts_end ON call_parts;
      DROP TRIGGER departments_delete_ended_waits ON departments;
      DROP TRIGGER tenants_delete_ended_waits ON tenants;
      DROP FUNCTION record_ended_wait, record_ended_part, delete_ended_waits, delete_ended_waits_of_tenant;
      DROP TABLE learned_waits, wait_learning, ended_waits;
      ALTER TABLE calls DROP estimated_wait_low, DROP estimated_wait_high, DROP join_estimate;
    `);
  }
}

const TRIGGERS = `
  CREATE FUNCTION record_ended_wait() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ended_waits (tenant_id, department_id, call_id, outcome)
    VALUES (NEW.tenant_id, NEW.department_id, NEW.id, CASE
      -- A customer who asked for a callback was away, so it is known only until then how long they waited.
      WHEN NEW.callback_status IS NOT NULL THEN 'censored'
      WHEN NEW.started_at IS NOT NULL THEN 'answered'
      -- The customer cancelled, or was absent too long. Timeouts, closings and the like say nothing of their patience.
      WHEN NEW.status = 'cancelled' OR NEW.status = 'abandoned' AND OLD.absence_deadline <= NEW.ended_at THEN 'left'
      ELSE 'censored' END);
    RETURN NULL;
  END $$;
  -- A transferred call has been answered: its second wait is none that anybody was told of at the join.
  CREATE TRIGGER calls_end_wait AFTER UPDATE OF status ON calls
    FOR EACH ROW WHEN (OLD.started_at IS NULL AND OLD.ended_at IS NULL AND NEW.department_id IS NOT NULL
      AND (NEW.started_at IS NOT NULL OR NEW.ended_at IS NOT NULL))
    EXECUTE FUNCTION record_ended_wait();

  CREATE FUNCTION record_ended_part() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ended_waits (tenant_id, department_id, call_id, part_id)
    VALUES (NEW.tenant_id, NEW.department_id, NEW.call_id, NEW.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER call_parts_end AFTER UPDATE OF ended_at ON call_parts
    FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.department_id IS NOT NULL)
    EXECUTE FUNCTION record_ended_part();

  -- A foreign key would lock the department after the call, in the opposite order to a deletion of the department.
  CREATE FUNCTION delete_ended_waits() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ended_waits WHERE department_id = OLD.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER departments_delete_ended_waits AFTER DELETE ON departments
    FOR EACH ROW EXECUTE FUNCTION delete_ended_waits();

  -- A foreign key would lock the row of the tenant with each call.
  CREATE FUNCTION delete_ended_waits_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ended_waits WHERE tenant_id = OLD.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tenants_delete_ended_waits AFTER DELETE ON tenants
    FOR EACH ROW EXECUTE FUNCTION delete_ended_waits_of_tenant();
`;
