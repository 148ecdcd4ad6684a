import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Departments, their members and access links. Foreign keys include the tenant, so no row refers to another tenant. */
export class Departments1780000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE departments (
        id uuid CONSTRAINT departments_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT departments_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        name text NOT NULL,
        identifier text NOT NULL,
        description text,
        active boolean NOT NULL DEFAULT true,
        sector_id uuid,
        max_queue_size integer NOT NULL DEFAULT 20
          CONSTRAINT departments_max_queue_size_check CHECK (max_queue_size > 0),
        max_wait_time integer NOT NULL DEFAULT 300
          CONSTRAINT departments_max_wait_time_check CHECK (max_wait_time > 0),
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT departments_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT departments_identifier_key UNIQUE (tenant_id, identifier)
      );
      CREATE INDEX departments_name_idx ON departments (tenant_id, name, id);
      ${tenantPolicy('departments')}

      CREATE TABLE department_members (
        tenant_id uuid NOT NULL,
        department_id uuid NOT NULL,
        user_id uuid NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT department_members_pkey PRIMARY KEY (department_id, user_id),
        CONSTRAINT department_members_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT department_members_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX department_members_user_idx ON department_members (user_id, department_id);
      ${tenantPolicy('department_members')}

      CREATE TABLE customers (
        id uuid CONSTRAINT customers_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT customers_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        name text NOT NULL,
        email text,
        phone text,
        document text,
        notes text,
        metadata jsonb NOT NULL DEFAULT '{}',
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        -- 0016 uses them. Adding them there would rewrite the table.
        email_key text GENERATED ALWAYS AS (lower(email)) STORED,
        phone_key text GENERATED ALWAYS AS (NULLIF(regexp_replace(phone, '[^0-9]', '', 'g'), '')) STORED,
        document_key text GENERATED ALWAYS AS
          (NULLIF(upper(regexp_replace(document, '[^[:alnum:]]', '', 'g')), '')) STORED,
        CONSTRAINT customers_tenant_key UNIQUE (tenant_id, id)
      );
      CREATE INDEX customers_email_idx ON customers (tenant_id, lower(email), inserted_at, id);
      CREATE INDEX customers_phone_idx ON customers (tenant_id, phone, inserted_at, id);
      ${tenantPolicy('customers')}

      CREATE TABLE access_links (
        id uuid CONSTRAINT access_links_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT access_links_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        token text NOT NULL CONSTRAINT access_links_token_key UNIQUE,
        department_id uuid,
        department_name text,
        customer_id uuid,
        label text,
        max_uses integer CONSTRAINT access_links_max_uses_check CHECK (max_uses > 0),
        use_count integer NOT NULL DEFAULT 0,
        expires_at timestamptz(3),
        cancelled_at timestamptz(3),
        created_by uuid,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT access_links_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT access_links_uses_check CHECK (max_uses IS NULL OR use_count <= max_uses),
        CONSTRAINT access_links_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id),
        CONSTRAINT access_links_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id) ON DELETE SET NULL (customer_id),
        CONSTRAINT access_links_created_by_fkey FOREIGN KEY (tenant_id, created_by)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (created_by)
      );
      CREATE INDEX access_links_inserted_idx ON access_links (tenant_id, inserted_at, id);
      CREATE INDEX access_links_department_idx ON access_links (department_id);
      CREATE INDEX access_links_customer_idx ON access_links (customer_id);
      ${tenantPolicy('access_links')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE access_links, customers, department_members, departments`);
  }
}
