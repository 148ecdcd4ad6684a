import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';
import { agentStates } from './0041-agent-states';

/**
 * Offers of waiting calls to agents, and the timeline of a call. These tables refer to calls alone: the check of a key to
 * departments or users would lock these rows after the call, in the opposite order to a deletion.
 */
export class Offers1780000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE offers (
        id uuid CONSTRAINT offers_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        department_id uuid,
        user_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT offers_kind_check CHECK (kind IN ('line', 'forced', 'transfer')),
        -- The supervisor or agent who made a forced offer or a transfer.
        offered_by uuid,
        note text,
        status text NOT NULL CONSTRAINT offers_status_check
          CHECK (status IN ('pending', 'accepted', 'declined', 'expired', 'withdrawn')),
        reason text,
        offered_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        -- Since when the agent had been idle.
        available_since timestamptz(3),
        -- When the offer is withdrawn because the customer has lost their socket.
        customer_deadline timestamptz(3),
        next_deadline timestamptz(3) GENERATED ALWAYS AS
          (CASE WHEN status = 'pending' THEN LEAST(expires_at, customer_deadline) END) STORED,
        CONSTRAINT offers_ended_check CHECK ((status = 'pending') = (ended_at IS NULL)),
        CONSTRAINT offers_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX offers_pending_user_key ON offers (user_id) WHERE status = 'pending';
      -- A call belongs to one tenant, so this is one for each call. It also counts the pending offers of a tenant.
      CREATE UNIQUE INDEX offers_pending_call_key ON offers (tenant_id, call_id) WHERE status = 'pending';
      CREATE INDEX offers_deadline_idx ON offers (next_deadline) WHERE next_deadline IS NOT NULL;
      CREATE INDEX offers_call_idx ON offers (call_id, offered_at);
      CREATE INDEX offers_report_idx ON offers (tenant_id, offered_at) INCLUDE (user_id, status, ended_at);
      ${tenantPolicy('offers')}

      -- An offer whose customer has lost the last socket is withdrawn if they are not back within 5 s.
      CREATE FUNCTION follow_customer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE offers SET customer_deadline = CASE WHEN NOT NEW.present THEN
            (SELECT c.absent_since FROM calls c WHERE c.id = NEW.call_id) + interval '5 s' END
        WHERE tenant_id = NEW.tenant_id AND call_id = NEW.call_id AND status = 'pending';
        RETURN NULL;
      END $$;
      CREATE TRIGGER line_entries_follow_customer AFTER UPDATE OF present_until ON line_entries
        FOR EACH ROW WHEN (OLD.present_until IS DISTINCT FROM NEW.present_until) EXECUTE FUNCTION follow_customer();

      -- Until when an agent who declined or missed an offer of the call gets no other one.
      CREATE TABLE offer_exclusions (
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        user_id uuid NOT NULL,
        until timestamptz(3) NOT NULL,
        CONSTRAINT offer_exclusions_pkey PRIMARY KEY (call_id, user_id),
        CONSTRAINT offer_exclusions_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX offer_exclusions_user_idx ON offer_exclusions (user_id, until);
      ${tenantPolicy('offer_exclusions')}

      CREATE TABLE call_timeline (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT call_timeline_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        type text NOT NULL,
        user_id uuid,
        details jsonb NOT NULL,
        CONSTRAINT call_timeline_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX call_timeline_call_idx ON call_timeline (call_id, id);
      ${tenantPolicy('call_timeline')}

      ${agentStates(`EXISTS (SELECT FROM offers f WHERE f.user_id = u.id AND f.status = 'pending')`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${agentStates('false')}
      DROP TRIGGER line_entries_follow_customer ON line_entries;
      DROP FUNCTION follow_customer;
      DROP TABLE call_timeline, offer_exclusions, offers;
    `);
  }
}
