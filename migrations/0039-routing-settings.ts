import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/** Settings of departments, tenants and links for the distribution of calls; skills of users and links. */
export class RoutingSettings1780000000039 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE departments
        ADD routing text NOT NULL DEFAULT 'manual'
          CONSTRAINT departments_routing_check CHECK (routing IN ('manual', 'automatic')),
        ADD offer_timeout integer NOT NULL DEFAULT 20
          CONSTRAINT departments_offer_timeout_check CHECK (offer_timeout BETWEEN 5 AND 120),
        ADD wrap_up_time integer NOT NULL DEFAULT 0
          CONSTRAINT departments_wrap_up_time_check CHECK (wrap_up_time BETWEEN 0 AND 3600),
        ADD max_unanswered smallint NOT NULL DEFAULT 3
          CONSTRAINT departments_max_unanswered_check CHECK (max_unanswered BETWEEN 1 AND 10),
        ADD agent_selection text NOT NULL DEFAULT 'longest_idle' CONSTRAINT departments_agent_selection_check
          CHECK (agent_selection IN ('longest_idle', 'most_skilled', 'fewest_today')),
        -- Null: never.
        ADD skill_relax_after integer DEFAULT 60
          CONSTRAINT departments_skill_relax_after_check CHECK (skill_relax_after >= 0),
        ADD preferred_agent_wait integer NOT NULL DEFAULT 30
          CONSTRAINT departments_preferred_agent_wait_check CHECK (preferred_agent_wait >= 0),
        ADD priority_step integer NOT NULL DEFAULT 60
          CONSTRAINT departments_priority_step_check CHECK (priority_step >= 0);

      ALTER TABLE tenants
        ADD pause_reasons text[] NOT NULL DEFAULT '{}',
        ADD pause_after_missed_offer boolean NOT NULL DEFAULT true,
        -- Null: no alert.
        ADD alert_longest_wait integer
          CONSTRAINT tenants_alert_longest_wait_check CHECK (alert_longest_wait > 0),
        ADD alert_nobody_available boolean NOT NULL DEFAULT false;

      ALTER TABLE access_links ADD priority smallint NOT NULL DEFAULT 0
        CONSTRAINT access_links_priority_check CHECK (priority BETWEEN 0 AND 9);

      CREATE TABLE skills (
        id uuid CONSTRAINT skills_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT skills_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        name text NOT NULL,
        description text,
        inserted_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT skills_tenant_key UNIQUE (tenant_id, id)
      );
      CREATE UNIQUE INDEX skills_name_key ON skills (tenant_id, lower(name));
      CREATE INDEX skills_name_idx ON skills (tenant_id, name COLLATE natural_language, id);
      ${tenantPolicy('skills')}

      CREATE TABLE user_skills (
        tenant_id uuid NOT NULL,
        user_id uuid NOT NULL,
        skill_id uuid NOT NULL,
        level smallint NOT NULL CONSTRAINT user_skills_level_check CHECK (level BETWEEN 1 AND 5),
        CONSTRAINT user_skills_pkey PRIMARY KEY (user_id, skill_id),
        CONSTRAINT user_skills_user_id_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT user_skills_skill_id_fkey FOREIGN KEY (tenant_id, skill_id)
          REFERENCES skills (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX user_skills_skill_idx ON user_skills (tenant_id, skill_id);
      ${tenantPolicy('user_skills')}

      CREATE TABLE access_link_skills (
        tenant_id uuid NOT NULL,
        access_link_id uuid NOT NULL,
        skill_id uuid NOT NULL,
        min_level smallint NOT NULL CONSTRAINT access_link_skills_min_level_check CHECK (min_level BETWEEN 1 AND 5),
        CONSTRAINT access_link_skills_pkey PRIMARY KEY (access_link_id, skill_id),
        CONSTRAINT access_link_skills_access_link_id_fkey FOREIGN KEY (tenant_id, access_link_id)
          REFERENCES access_links (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT access_link_skills_skill_id_fkey FOREIGN KEY (tenant_id, skill_id)
          REFERENCES skills (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX access_link_skills_skill_idx ON access_link_skills (tenant_id, skill_id);
      ${tenantPolicy('access_link_skills')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE access_link_skills, user_skills, skills;
      ALTER TABLE access_links DROP priority;
      ALTER TABLE tenants
        DROP pause_reasons, DROP pause_after_missed_offer, DROP alert_longest_wait, DROP alert_nobody_available;
      ALTER TABLE departments
        DROP routing, DROP offer_timeout, DROP wrap_up_time, DROP max_unanswered, DROP agent_selection,
        DROP skill_relax_after, DROP preferred_agent_wait, DROP priority_step;
    `);
  }
}
