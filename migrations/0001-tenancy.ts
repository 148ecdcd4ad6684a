import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Tenants, their subscriptions, and the notifications of the payment gateway. */
export class Tenancy1780000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenants (
        id uuid CONSTRAINT tenants_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        slug text NOT NULL CONSTRAINT tenants_slug_key UNIQUE,
        document text CONSTRAINT tenants_document_key UNIQUE,
        document_type text CONSTRAINT tenants_document_type_check CHECK (document_type IN ('cpf', 'cnpj')),
        logo_url text,
        primary_color text NOT NULL DEFAULT '#2563eb',
        language text NOT NULL DEFAULT 'pt-BR',
        timezone text NOT NULL DEFAULT 'America/Sao_Paulo',
        restrict_attendants boolean NOT NULL DEFAULT false,
        mfa_required boolean NOT NULL DEFAULT false,
        allowed_sites text[] NOT NULL DEFAULT '{}',
        recording_retention_days integer,
        service_level_seconds integer NOT NULL DEFAULT 20,
        suspended_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        -- 0033 uses it. Adding it there would rewrite the table, as would the other columns here that are used later.
        name_key text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED
      );
      CREATE INDEX tenants_name_idx ON tenants (lower(name));
      ${tenantPolicy('tenants', 'id')}

      CREATE TABLE subscriptions (
        tenant_id uuid CONSTRAINT subscriptions_pkey PRIMARY KEY
          CONSTRAINT subscriptions_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        plan text NOT NULL CONSTRAINT subscriptions_plan_check
          CHECK (plan IN ('free', 'basic', 'advanced', 'professional', 'enterprise')),
        status text NOT NULL CONSTRAINT subscriptions_status_check
          CHECK (status IN ('pending', 'active', 'past_due', 'canceled')),
        current_period_start timestamptz(3),
        current_period_end timestamptz(3),
        grace_deadline timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      ${tenantPolicy('subscriptions')}

      CREATE TABLE gateway_events (
        gateway text NOT NULL,
        event_id text NOT NULL,
        tenant_id uuid CONSTRAINT gateway_events_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        event text NOT NULL,
        payment_id text,
        payload jsonb NOT NULL,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        -- 0008 uses it.
        arrival bigint GENERATED ALWAYS AS IDENTITY,
        CONSTRAINT gateway_events_pkey PRIMARY KEY (gateway, event_id)
      );
      CREATE INDEX gateway_events_payment_idx ON gateway_events (tenant_id, payment_id);
      ${tenantPolicy('gateway_events')}

      CREATE TABLE domain_events (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT domain_events_pkey PRIMARY KEY,
        tenant_id uuid NOT NULL CONSTRAINT domain_events_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        type text NOT NULL,
        subject_id uuid NOT NULL,
        payload jsonb NOT NULL,
        occurred_at timestamptz(3) NOT NULL
      );
      CREATE INDEX domain_events_subject_idx ON domain_events (tenant_id, subject_id, id);
      CREATE INDEX domain_events_occurred_idx ON domain_events (occurred_at);
      ${tenantPolicy('domain_events')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE domain_events, gateway_events, subscriptions, tenants`);
  }
}
