import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** How long a customer without a socket counts as present after the join or a poll. */
export const PRESENT_FOR = `interval '30 s'`;

/** Until when the customer of a call that joins is present. */
const presentUntil = (call: string) => `COALESCE(${call}.absent_since + ${PRESENT_FOR}, 'infinity')`;

/** The columns of line_entries that describe what a call needs, in the order of `needsOf`. */
const NEEDS = 'reserved_user_id, reserved_until, skill_ids, min_levels, relax_at';

/**
 * The rows `d` and `needs` of an entry: its department, and what the call needs in it. A reservation or a requirement of
 * skills whose time is over when the call is written is left out.
 * @param call the row of the call
 * @param relaxFrom the time from which skill_relax_after counts
 */
const needsOf = (call: string, relaxFrom: string) => `departments d
  CROSS JOIN LATERAL (SELECT
    GREATEST(${call}.inserted_at, ${call}.priority_since) + make_interval(secs => d.preferred_agent_wait)
      AS reserved_until,
    ${relaxFrom} + make_interval(secs => d.skill_relax_after) AS relax_at) t
  CROSS JOIN LATERAL (SELECT
    ${call}.reserved_user_id IS NOT NULL AND t.reserved_until > ${call}.updated_at AS is_reserved,
    CASE WHEN t.relax_at <= ${call}.updated_at THEN '[]' ELSE ${call}.required_skills END AS skills) r
  CROSS JOIN LATERAL (SELECT
    CASE WHEN r.is_reserved THEN ${call}.reserved_user_id END AS reserved_user_id,
    CASE WHEN r.is_reserved THEN t.reserved_until END AS reserved_until,
    ARRAY(SELECT (s ->> 'skill_id')::uuid FROM jsonb_array_elements(r.skills) s ORDER BY 1) AS skill_ids,
    ARRAY(SELECT (s ->> 'min_level')::smallint FROM jsonb_array_elements(r.skills) s
      ORDER BY (s ->> 'skill_id')::uuid) AS min_levels,
    CASE WHEN r.skills <> '[]' THEN t.relax_at END AS relax_at) needs`;

/** Columns that a later migration adds to a table, with their values from NEW. Each list begins with a comma. */
interface FurtherColumns {
  columns: string;
  values: string;
}

const NO_FURTHER_COLUMNS: FurtherColumns = { columns: '', values: '' };

/**
 * Adds the entry of a call to the line of its department.
 * @param calls the beginning of the FROM list, if the call is not NEW
 * @param presence until when the customer is present; null if they are absent
 * @param relaxFrom the time from which skill_relax_after counts
 */
const enterLine = (
  call: string,
  calls: string,
  presence: string,
  further = NO_FURTHER_COLUMNS,
  relaxFrom = `${call}.inserted_at`,
) => `
  INSERT INTO line_entries (call_id, department_id, tenant_id, first_at, rank_at, queue_number, present, present_until,
    ${NEEDS}${further.columns})
  SELECT ${call}.id, d.id, ${call}.tenant_id, COALESCE(${call}.priority_since, 'infinity'), ${call}.rank_at,
    ${call}.queue_number, ${presence} IS NOT NULL, COALESCE(${presence}, '-infinity'),
    needs.reserved_user_id, needs.reserved_until, needs.skill_ids, needs.min_levels, needs.relax_at${further.values}
  FROM ${calls}${needsOf(call, relaxFrom)}
  WHERE d.tenant_id = ${call}.tenant_id AND d.id = ${call}.department_id`;

/** As enterLine, for NEW in a trigger. Most calls need nothing, so the settings of the department are not read for them. */
const enterLineAsNew = (presence: string, further: FurtherColumns, relaxFrom?: string) => `
  IF NEW.required_skills = '[]' AND NEW.reserved_user_id IS NULL THEN
    INSERT INTO line_entries (call_id, department_id, tenant_id, first_at, rank_at, queue_number, present,
      present_until${further.columns})
    VALUES (NEW.id, NEW.department_id, NEW.tenant_id, COALESCE(NEW.priority_since, 'infinity'), NEW.rank_at,
      NEW.queue_number, ${presence} IS NOT NULL, COALESCE(${presence}, '-infinity')${further.values});
  ELSE
    ${enterLine('NEW', '', presence, further, relaxFrom)};
  END IF`;

/** Begins the part of the agent of an active call. */
const beginPart = (call: string, startedAt: string, further = NO_FURTHER_COLUMNS) => `
  INSERT INTO call_parts (tenant_id, call_id, department_id, user_id, user_name, started_at${further.columns})
  SELECT ${call}.tenant_id, ${call}.id, ${call}.department_id, ${call}.user_id, ${call}.user_name,
    ${startedAt}${further.values}`;

/** The trigger's function that records the parts of a call. @param further of a part */
export const recordCallPart = (further?: FurtherColumns) => `
  CREATE OR REPLACE FUNCTION record_call_part() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      -- The clocks of instances may differ slightly, so a part ends no earlier than it began.
      UPDATE call_parts SET ended_at = GREATEST(started_at, NEW.updated_at),
        ended_by = CASE WHEN NEW.status IN ('queued', 'assigned', 'active') THEN 'transferred'
          WHEN NEW.end_reason = 'disconnect' THEN 'disconnect' ELSE 'completed' END
      WHERE call_id = NEW.id AND ended_at IS NULL;
    END IF;
    IF NEW.status = 'active' THEN
      ${beginPart('NEW', 'NEW.updated_at', further)};
    END IF;
    RETURN NULL;
  END $$;`;

/**
 * The line: one narrow row for each waiting call, from which the service finds the first call that an agent can take.
 * Triggers keep it, and the parts of a call, so that every writer of calls keeps them. Times come from the row of the
 * call, because the clocks of the service and of the database can differ.
 *
 * A lane is a set of entries that need the same: a department, a combination of skills, a reserved agent. An agent's
 * candidates are the first entries of the lanes that they can serve, however long the line is.
 */
export class CallLine1780000000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD priority smallint NOT NULL DEFAULT 0,
        -- A list of {skill_id, min_level}.
        ADD required_skills jsonb NOT NULL DEFAULT '[]',
        ADD rank_at timestamptz(3),
        ADD unanswered_count smallint NOT NULL DEFAULT 0,
        ADD transferred_from_department_id uuid,
        ADD transferred_from_user_id uuid,
        ADD transferred_at timestamptz(3),
        -- Of an assigned call, which may return to the queue. They are no deadlines, so next_deadline ignores them.
        ADD suspended_wait_deadline timestamptz(3),
        ADD suspended_priority_deadline timestamptz(3),
        ADD CONSTRAINT calls_priority_check CHECK (priority BETWEEN 0 AND 9) NOT VALID,
        ADD CONSTRAINT calls_rank_check CHECK (status <> 'queued' OR rank_at IS NOT NULL) NOT VALID;

      -- Instances of the previous release, which may run beside this one, do not know the rank.
      CREATE FUNCTION rank_call() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.rank_at := NEW.inserted_at;
        RETURN NEW;
      END $$;
      CREATE TRIGGER calls_set_rank BEFORE INSERT ON calls
        FOR EACH ROW WHEN (NEW.rank_at IS NULL) EXECUTE FUNCTION rank_call();

      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET rank_at = inserted_at WHERE ended_at IS NULL;

      -- It serves the queries of the previous release, too: they need the same calls, in another order.
      CREATE INDEX calls_line_idx ON calls (tenant_id, department_id, priority_since, rank_at, queue_number)
        WHERE status = 'queued';
      DROP INDEX calls_queue_idx;

      -- Text of arrays is the same under all settings for these types, which PostgreSQL does not know.
      CREATE FUNCTION lane_of(reserved uuid, skills uuid[], levels smallint[]) RETURNS uuid
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN md5(concat_ws('|', reserved, skills, levels))::uuid;

      CREATE TABLE line_entries (
        call_id uuid NOT NULL,
        department_id uuid NOT NULL,
        tenant_id uuid NOT NULL,
        -- What the call needs at present. These are cleared when reserved_until or relax_at has passed.
        reserved_user_id uuid,
        skill_ids uuid[] NOT NULL DEFAULT '{}',
        min_levels smallint[] NOT NULL DEFAULT '{}',
        lane uuid NOT NULL GENERATED ALWAYS AS (CASE WHEN reserved_user_id IS NULL AND skill_ids = '{}'
          THEN '00000000-0000-0000-0000-000000000000' ELSE lane_of(reserved_user_id, skill_ids, min_levels) END) STORED,
        -- The order of the line; first_at is infinite without an appointment whose time has come.
        first_at timestamptz(3) NOT NULL,
        rank_at timestamptz(3) NOT NULL,
        queue_number bigint NOT NULL,
        -- Infinite while a socket is open. A sweep clears present some time after present_until, so that absent customers
        -- are not in the index of the line.
        present_until timestamptz(3) NOT NULL,
        present boolean NOT NULL,
        relax_at timestamptz(3),
        reserved_until timestamptz(3),
        next_deadline timestamptz(3) GENERATED ALWAYS AS (LEAST(relax_at, reserved_until)) STORED,
        CONSTRAINT line_entries_pkey PRIMARY KEY (call_id, department_id),
        -- A key to departments would be checked under the lock of the call, after which no department may be locked.
        CONSTRAINT line_entries_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
      CREATE INDEX line_entries_line_idx ON line_entries (department_id, lane, first_at, rank_at, queue_number)
        WHERE present;
      CREATE INDEX line_entries_reserved_idx ON line_entries (reserved_user_id, first_at, rank_at, queue_number)
        WHERE present AND reserved_user_id IS NOT NULL;
      CREATE INDEX line_entries_deadline_idx ON line_entries (next_deadline) WHERE next_deadline IS NOT NULL;
      CREATE INDEX line_entries_presence_idx ON line_entries (present_until)
        WHERE present AND present_until < 'infinity';
      ${tenantPolicy('line_entries')}

      CREATE TABLE call_parts (
        id uuid CONSTRAINT call_parts_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        department_id uuid,
        user_id uuid,
        user_name text,
        started_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        ended_by text
          CONSTRAINT call_parts_ended_by_check CHECK (ended_by IN ('completed', 'transferred', 'disconnect')),
        -- Seconds of wrap-up that followed; null until it has ended.
        wrap_up_time integer,
        CONSTRAINT call_parts_ended_check CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
        CONSTRAINT call_parts_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX call_parts_open_key ON call_parts (call_id) WHERE ended_at IS NULL;
      CREATE INDEX call_parts_user_idx ON call_parts (tenant_id, user_id, started_at);
      CREATE INDEX call_parts_call_idx ON call_parts (call_id, started_at);
      ${tenantPolicy('call_parts')}
    `);
    await runner.query(TRIGGERS);
    await runner.query(`
      ${enterLine('c', 'calls c CROSS JOIN ', presentUntil('c'))} AND c.status = 'queued';
      ${beginPart('c', 'COALESCE(c.started_at, c.updated_at)')} FROM calls c WHERE c.status = 'active';
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER calls_set_rank ON calls;
      DROP TRIGGER calls_enter_line ON calls;
      DROP TRIGGER calls_move_in_line ON calls;
      DROP TRIGGER calls_begin_part ON calls;
      DROP TRIGGER calls_change_part ON calls;
      DROP FUNCTION rank_call, enter_line, move_in_line, record_call_part;
      DROP TABLE call_parts, line_entries;
      DROP FUNCTION lane_of;
      CREATE INDEX calls_queue_idx ON calls (tenant_id, department_id, priority_since, queue_number)
        WHERE status = 'queued';
      DROP INDEX calls_line_idx;
      ALTER TABLE calls
        DROP priority, DROP required_skills, DROP rank_at, DROP unanswered_count,
        DROP transferred_from_department_id, DROP transferred_from_user_id, DROP transferred_at,
        DROP suspended_wait_deadline, DROP suspended_priority_deadline;
    `);
  }
}

/** The columns of a call on which its entry depends. */
const LINE_COLUMNS = [
  'status',
  'department_id',
  'priority_since',
  'rank_at',
  'required_skills',
  'reserved_user_id',
  'absent_since',
];

const rowOf = (call: 'OLD' | 'NEW') => `(${LINE_COLUMNS.map((column) => `${call}.${column}`).join(', ')})`;

/**
 * Until when the customer of a call that returns to a line is present. The call did not come from the customer, so only an
 * open socket shows that they are.
 */
const PRESENT_BY_SOCKET = `CASE WHEN NEW.absent_since IS NULL THEN 'infinity'::timestamptz END`;

/**
 * The triggers' functions that keep the entries of calls.
 * @param further of an entry, from the row that enters the line
 * @param returning until when the customer of a call that returns to a line is present; null if they are absent
 * @param settings the department whose settings apply to an entry `e`
 * @param relaxFrom the time from which skill_relax_after counts, also of a call that returns to a line
 */
export const keepLine = (
  further = NO_FURTHER_COLUMNS,
  returning = PRESENT_BY_SOCKET,
  settings = 'e.department_id',
  relaxFrom?: string,
) => `
  CREATE OR REPLACE FUNCTION enter_line() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${enterLineAsNew(presentUntil('NEW'), further, relaxFrom)};
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION move_in_line() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changes_skills boolean := NEW.required_skills <> OLD.required_skills;
    changes_reservation boolean :=
      (NEW.reserved_user_id, NEW.priority_since) IS DISTINCT FROM (OLD.reserved_user_id, OLD.priority_since);
  BEGIN
    IF (NEW.status, NEW.department_id) IS DISTINCT FROM (OLD.status, OLD.department_id) THEN
      IF OLD.status = 'queued' THEN
        DELETE FROM line_entries WHERE call_id = NEW.id;
      END IF;
      IF NEW.status = 'queued' AND NEW.department_id IS NOT NULL THEN
        ${enterLineAsNew(returning, further, relaxFrom)};
      END IF;
      RETURN NULL;
    END IF;
    IF changes_skills OR changes_reservation OR NEW.rank_at <> OLD.rank_at THEN
      -- What does not change is kept: the reservation or the requirement of skills may have ended already.
      UPDATE line_entries e SET
        first_at = COALESCE(NEW.priority_since, 'infinity'),
        rank_at = NEW.rank_at,
        reserved_user_id = CASE WHEN changes_reservation THEN needs.reserved_user_id ELSE e.reserved_user_id END,
        reserved_until = CASE WHEN changes_reservation THEN needs.reserved_until ELSE e.reserved_until END,
        skill_ids = CASE WHEN changes_skills THEN needs.skill_ids ELSE e.skill_ids END,
        min_levels = CASE WHEN changes_skills THEN needs.min_levels ELSE e.min_levels END,
        relax_at = CASE WHEN changes_skills THEN needs.relax_at ELSE e.relax_at END
      FROM ${needsOf('NEW', relaxFrom ?? 'NEW.updated_at')}
      WHERE e.call_id = NEW.id AND d.tenant_id = e.tenant_id AND d.id = ${settings};
    END IF;
    IF NEW.absent_since IS DISTINCT FROM OLD.absent_since THEN
      UPDATE line_entries SET
        -- With a socket; without the last socket; after a poll.
        present_until = CASE WHEN NEW.absent_since IS NULL THEN 'infinity' WHEN OLD.absent_since IS NULL THEN '-infinity'
          ELSE NEW.absent_since + ${PRESENT_FOR} END,
        present = NEW.absent_since IS NULL OR OLD.absent_since IS NOT NULL
      WHERE call_id = NEW.id;
    END IF;
    RETURN NULL;
  END $$;`;

const TRIGGERS = `
  ${keepLine()}
  CREATE TRIGGER calls_enter_line AFTER INSERT ON calls
    FOR EACH ROW WHEN (NEW.status = 'queued' AND NEW.department_id IS NOT NULL) EXECUTE FUNCTION enter_line();
  CREATE TRIGGER calls_move_in_line AFTER UPDATE OF ${LINE_COLUMNS.join(', ')} ON calls
    FOR EACH ROW WHEN ((OLD.status = 'queued' OR NEW.status = 'queued')
      AND ${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')})
    EXECUTE FUNCTION move_in_line();

  ${recordCallPart()}
  CREATE TRIGGER calls_begin_part AFTER INSERT ON calls
    FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION record_call_part();
  CREATE TRIGGER calls_change_part AFTER UPDATE OF status, user_id ON calls
    FOR EACH ROW WHEN ((OLD.status = 'active' OR NEW.status = 'active')
      AND (OLD.status, OLD.user_id) IS DISTINCT FROM (NEW.status, NEW.user_id))
    EXECUTE FUNCTION record_call_part();`;
