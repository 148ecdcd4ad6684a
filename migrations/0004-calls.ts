import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Calls with their deadlines, and the leases of open connections. */
export class Calls1780000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE calls (
        id uuid CONSTRAINT calls_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT calls_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        status text NOT NULL CONSTRAINT calls_status_check CHECK (status IN
          ('queued', 'assigned', 'active', 'completed', 'missed', 'cancelled', 'abandoned')),
        version integer NOT NULL DEFAULT 1,
        queue_number bigint GENERATED ALWAYS AS IDENTITY,
        department_id uuid,
        department_name text NOT NULL,
        access_link_id uuid,
        customer_id uuid,
        customer_name text NOT NULL,
        customer_email text,
        customer_phone text,
        reason text,
        user_id uuid,
        user_name text,
        estimated_wait_time integer NOT NULL,
        wait_time integer,
        duration integer,
        rating integer CONSTRAINT calls_rating_check CHECK (rating BETWEEN 1 AND 5),
        rating_comment text,
        rated_at timestamptz(3),
        notes text,
        manager_notes text,
        has_recording boolean NOT NULL DEFAULT false,
        end_reason text CONSTRAINT calls_end_reason_check
          CHECK (end_reason IN ('normal', 'timeout', 'disconnect', 'abandoned')),
        inserted_at timestamptz(3) NOT NULL,
        assigned_at timestamptz(3),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        ended_at timestamptz(3),
        customer_connected_at timestamptz(3),
        agent_connected_at timestamptz(3),
        disconnected_at timestamptz(3),
        reconnected_at timestamptz(3),
        wait_deadline timestamptz(3),
        absence_deadline timestamptz(3),
        ring_deadline timestamptz(3),
        customer_grace_deadline timestamptz(3),
        agent_grace_deadline timestamptz(3),
        -- 0017 uses it. A change of the expression below would rewrite the table.
        priority_deadline timestamptz(3),
        next_deadline timestamptz(3) GENERATED ALWAYS AS (LEAST(wait_deadline, absence_deadline, ring_deadline,
          customer_grace_deadline, agent_grace_deadline, priority_deadline)) STORED,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT calls_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT calls_agent_check CHECK (status NOT IN ('assigned', 'active') OR user_id IS NOT NULL),
        CONSTRAINT calls_ended_check CHECK
          ((ended_at IS NULL) = (status IN ('queued', 'assigned', 'active'))),
        CONSTRAINT calls_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id),
        CONSTRAINT calls_access_link_id_fkey FOREIGN KEY (tenant_id, access_link_id)
          REFERENCES access_links (tenant_id, id) ON DELETE SET NULL (access_link_id),
        CONSTRAINT calls_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id) ON DELETE SET NULL (customer_id),
        CONSTRAINT calls_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id)
      );
      CREATE INDEX calls_inserted_idx ON calls (tenant_id, inserted_at, id);
      CREATE INDEX calls_status_idx ON calls (tenant_id, status, inserted_at, id);
      CREATE INDEX calls_department_idx ON calls (tenant_id, department_id, inserted_at, id);
      CREATE INDEX calls_user_idx ON calls (tenant_id, user_id, inserted_at, id);
      CREATE INDEX calls_customer_idx ON calls (customer_id);
      CREATE INDEX calls_access_link_idx ON calls (access_link_id);
      CREATE INDEX calls_queue_idx ON calls (tenant_id, department_id, queue_number) WHERE status = 'queued';
      CREATE INDEX calls_live_idx ON calls (tenant_id, user_id, status) WHERE status IN ('assigned', 'active');
      CREATE INDEX calls_handle_time_idx ON calls (tenant_id, department_id, completed_at)
        WHERE status = 'completed' AND duration IS NOT NULL;
      CREATE INDEX calls_deadline_idx ON calls (next_deadline) WHERE next_deadline IS NOT NULL;
      ${tenantPolicy('calls')}

      CREATE TABLE idempotency_keys (
        tenant_id uuid NOT NULL,
        access_link_id uuid NOT NULL,
        key text NOT NULL,
        request_hash text NOT NULL,
        call_id uuid NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (access_link_id, key),
        CONSTRAINT idempotency_keys_access_link_id_fkey FOREIGN KEY (tenant_id, access_link_id)
          REFERENCES access_links (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT idempotency_keys_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX idempotency_keys_expiry_idx ON idempotency_keys (expires_at);
      ${tenantPolicy('idempotency_keys')}

      CREATE TABLE instances (
        id uuid CONSTRAINT instances_pkey PRIMARY KEY,
        heartbeat_at timestamptz(3) NOT NULL
      );

      CREATE TABLE connections (
        id uuid CONSTRAINT connections_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        instance_id uuid NOT NULL CONSTRAINT connections_instance_id_fkey REFERENCES instances,
        socket_id text NOT NULL,
        user_id uuid,
        call_id uuid,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT connections_socket_key UNIQUE NULLS NOT DISTINCT (socket_id, call_id),
        CONSTRAINT connections_subject_check CHECK (user_id IS NOT NULL OR call_id IS NOT NULL),
        CONSTRAINT connections_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT connections_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX connections_user_idx ON connections (user_id);
      CREATE INDEX connections_call_idx ON connections (call_id);
      CREATE INDEX connections_instance_idx ON connections (instance_id);
      ${tenantPolicy('connections')}

      CREATE TABLE presences (
        user_id uuid CONSTRAINT presences_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL,
        chosen text NOT NULL DEFAULT 'online' CONSTRAINT presences_chosen_check
          CHECK (chosen IN ('online', 'away')),
        announced text NOT NULL DEFAULT 'offline' CONSTRAINT presences_announced_check
          CHECK (announced IN ('online', 'away', 'busy', 'offline')),
        CONSTRAINT presences_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      ${tenantPolicy('presences')}

      -- The only definition of presence. security_invoker: row-level security applies to the reader, not to the owner.
      CREATE VIEW user_presence WITH (security_invoker = true) AS
        SELECT u.tenant_id, u.id AS user_id,
          CASE
            WHEN EXISTS (SELECT FROM calls c
              WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.status = 'active') THEN 'busy'
            WHEN NOT EXISTS (SELECT FROM connections o WHERE o.user_id = u.id) THEN 'offline'
            ELSE COALESCE(p.chosen, 'online')
          END AS presence
        FROM users u LEFT JOIN presences p ON p.user_id = u.id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW user_presence;
      DROP TABLE presences, connections, instances, idempotency_keys, calls;
    `);
  }
}
