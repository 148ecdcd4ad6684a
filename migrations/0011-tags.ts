import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Tags, which form trees, and the tags of calls. */
export class Tags1780000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tags (
        id uuid CONSTRAINT tags_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT tags_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        name text NOT NULL,
        color text NOT NULL DEFAULT '#64748b'
          CONSTRAINT tags_color_check CHECK (color ~ '^#[0-9a-f]{6}$'),
        parent_id uuid CONSTRAINT tags_parent_check CHECK (parent_id <> id),
        description text,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT tags_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT tags_parent_id_fkey FOREIGN KEY (tenant_id, parent_id) REFERENCES tags (tenant_id, id)
      );
      -- Tags without a parent are siblings, too. The index also finds the children of a tag.
      CREATE UNIQUE INDEX tags_name_key ON tags (tenant_id, parent_id, lower(name)) NULLS NOT DISTINCT;
      CREATE INDEX tags_name_idx ON tags (tenant_id, name, id);
      ${tenantPolicy('tags')}

      CREATE TABLE call_tags (
        tenant_id uuid NOT NULL,
        call_id uuid NOT NULL,
        tag_id uuid NOT NULL,
        CONSTRAINT call_tags_pkey PRIMARY KEY (call_id, tag_id),
        CONSTRAINT call_tags_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT call_tags_tag_id_fkey FOREIGN KEY (tenant_id, tag_id)
          REFERENCES tags (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX call_tags_tag_idx ON call_tags (tag_id);
      ${tenantPolicy('call_tags')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE call_tags, tags`);
  }
}
