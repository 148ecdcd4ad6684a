import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';
import { PRESENT_FOR } from './0040-call-line';

/** Whether the customer of the call is somewhere else and will be called back. */
const isAwaited = (call: string) =>
  `(${call}.status = 'queued' AND ${call}.callback_status IN ('requested', 'invited')) IS TRUE`;

/** Callbacks: customers keep their place in the queue while they are away, and are invited to return when it is their turn. */
export class Callbacks1780000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE departments
        ADD callback_enabled boolean NOT NULL DEFAULT false,
        ADD callback_attempts smallint NOT NULL DEFAULT 2
          CONSTRAINT departments_callback_attempts_check CHECK (callback_attempts BETWEEN 1 AND 5),
        ADD callback_window integer NOT NULL DEFAULT 600
          CONSTRAINT departments_callback_window_check CHECK (callback_window BETWEEN 60 AND 3600);

      ALTER TABLE calls
        ADD callback_status text,
        ADD callback_invited_until timestamptz(3),
        -- How many times the resume link of the call was opened: the device that opened it last has the call.
        ADD customer_device integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT calls_callback_status_check
          CHECK (callback_status IN ('requested', 'invited', 'returned', 'expired', 'cancelled')) NOT VALID,
        ADD CONSTRAINT calls_callback_invited_check
          CHECK ((callback_invited_until IS NOT NULL) = (callback_status IS NOT DISTINCT FROM 'invited')) NOT VALID;

      CREATE TABLE callbacks (
        call_id uuid CONSTRAINT callbacks_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        channel text NOT NULL CONSTRAINT callbacks_channel_check CHECK (channel IN ('email', 'webhook')),
        email text,
        -- Invitations so far.
        attempts smallint NOT NULL DEFAULT 0,
        requested_at timestamptz(3) NOT NULL,
        invited_at timestamptz(3),
        -- From when on the customer may be invited; null unless the callback is requested.
        next_attempt_at timestamptz(3),
        -- When the invitation expires; null unless the customer is invited.
        next_deadline timestamptz(3),
        CONSTRAINT callbacks_email_check CHECK (channel <> 'email' OR email IS NOT NULL OR next_attempt_at IS NULL),
        CONSTRAINT callbacks_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX callbacks_attempt_idx ON callbacks (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
      CREATE INDEX callbacks_deadline_idx ON callbacks (next_deadline) WHERE next_deadline IS NOT NULL;
      ${tenantPolicy('callbacks')}

      -- While this is true, neither a socket nor a poll makes the customer present.
      ALTER TABLE line_entries ADD awaits_callback boolean NOT NULL DEFAULT false;
      CREATE INDEX line_entries_awaited_idx ON line_entries (department_id) WHERE awaits_callback AND skill_ids <> '{}';

      -- It runs after the other triggers that change the line, because their names come before its own.
      CREATE FUNCTION withhold_from_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${isAwaited('NEW')} THEN
          UPDATE line_entries SET awaits_callback = true, present = false, present_until = '-infinity'
          WHERE call_id = NEW.id AND (present OR NOT awaits_callback OR present_until > '-infinity');
          RETURN NULL;
        END IF;
        -- The callback is over, so the customer is there: with a socket, or seen just now.
        UPDATE line_entries SET awaits_callback = false, present = true,
          present_until = COALESCE(NEW.absent_since + ${PRESENT_FOR}, 'infinity')
        WHERE call_id = NEW.id AND awaits_callback;
        UPDATE callbacks SET next_attempt_at = NULL, next_deadline = NULL
        WHERE call_id = NEW.id AND COALESCE(next_attempt_at, next_deadline) IS NOT NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_withhold_from_line AFTER UPDATE ON calls
        FOR EACH ROW WHEN (${isAwaited('OLD')} OR ${isAwaited('NEW')}) EXECUTE FUNCTION withhold_from_line();
      CREATE TRIGGER calls_withhold_from_line_at_first AFTER INSERT ON calls
        FOR EACH ROW WHEN (${isAwaited('NEW')}) EXECUTE FUNCTION withhold_from_line();

      -- The link by which the customer returns is a credential: the log of deliveries does not keep it.
      CREATE FUNCTION blank_resume_url() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.payload := jsonb_set(NEW.payload::jsonb, '{data,resume_url}', 'null', false)::json;
        RETURN NEW;
      END $$;
      CREATE TRIGGER webhook_deliveries_blank_resume_url BEFORE INSERT OR UPDATE OF status ON webhook_deliveries
        FOR EACH ROW WHEN (NEW.event = 'callback.due' AND NEW.status <> 'pending') EXECUTE FUNCTION blank_resume_url();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER webhook_deliveries_blank_resume_url ON webhook_deliveries;
      DROP TRIGGER calls_withhold_from_line ON calls;
      DROP TRIGGER calls_withhold_from_line_at_first ON calls;
      DROP FUNCTION withhold_from_line, blank_resume_url;
      ALTER TABLE line_entries DROP awaits_callback;
      DROP TABLE callbacks;
      ALTER TABLE calls DROP callback_status, DROP callback_invited_until, DROP customer_device;
      ALTER TABLE departments DROP callback_enabled, DROP callback_attempts, DROP callback_window;
    `);
  }
}
