import type { TestApp } from '../test-app';
import type { Line, LineAgent, LineCall } from './arbitrary-lines';

/** Writes generated lines to two departments by SQL. */
export class LineWriter {
  constructor(
    private readonly test: TestApp,
    private readonly tenantId: string,
    private readonly departmentIds: readonly string[],
    /** All users who can be agents of a line. */
    private readonly userIds: readonly string[],
  ) {}

  /** Makes the agents of the line, and no others, what it says of them, and adds its calls. @returns the ids of the calls */
  async insert({ agents, calls }: Line): Promise<string[]> {
    const { db } = this.test;
    await db.query('DELETE FROM calls WHERE department_id = ANY ($1)', [this.departmentIds]);
    await db.query('DELETE FROM department_members WHERE department_id = ANY ($1)', [this.departmentIds]);
    await db.query('DELETE FROM user_skills WHERE user_id = ANY ($1)', [this.userIds]);
    await db.query(`UPDATE presences SET state = 'offline' WHERE user_id = ANY ($1)`, [this.userIds]);
    const ids: string[] = [];
    for (const call of calls) ids.push(await this.insertCall(call));
    for (const agent of agents) await this.insertAgent(agent, ids);
    return ids;
  }

  private async insertCall(call: LineCall): Promise<string> {
    const { department, skills, required_skill_ids, reserved_for, priority_since, rank_at } = call;
    const { rows } = await this.test.db.query(
      `INSERT INTO calls (tenant_id, status, department_id, department_name, customer_name, estimated_wait_time,
         inserted_at, updated_at, rank_at, priority_since, required_skills)
       SELECT $1, 'queued', $2, 'Sales', 'Eva', 0, now(), now(), $3, $4, COALESCE(
         (SELECT jsonb_agg(jsonb_build_object('skill_id', id, 'min_level', 1)) FROM unnest($5::uuid[]) AS id), '[]')
       RETURNING id`,
      [this.tenantId, this.departmentIds[department], rank_at, priority_since, required_skill_ids],
    );
    const { id } = rows[0];
    await this.test.db.query(
      `UPDATE line_entries SET skill_ids = $2, min_levels = $3, reserved_user_id = $4, relax_at = NULL
       WHERE call_id = $1`,
      [
        id,
        skills.map(({ skill_id }) => skill_id),
        skills.map(({ min_level }) => min_level),
        reserved_for?.user_id ?? null,
      ],
    );
    return id;
  }

  private async insertAgent(agent: LineAgent, callIds: string[]): Promise<void> {
    const { db, clock } = this.test;
    const { user_id, active, departments, state, skills, is_excluded, idle_since, calls_today } = agent;
    await db.query('UPDATE users SET active = $2 WHERE id = $1', [user_id, active]);
    // Calls of the day before do not count.
    await db.query(
      `UPDATE presences SET state = $2, idle_since = $3, calls_count = CASE WHEN $4 = 0 THEN 9 ELSE $4 END,
         calls_day = ($5::timestamptz AT TIME ZONE t.timezone)::date - CASE WHEN $4 = 0 THEN 1 ELSE 0 END
       FROM tenants t WHERE t.id = $6 AND user_id = $1`,
      [user_id, state, idle_since, calls_today, clock.now(), this.tenantId],
    );
    for (const [skill_id, level] of skills) {
      await db.query(
        'INSERT INTO user_skills (tenant_id, user_id, skill_id, level) VALUES ($1, $2, $3, $4)',
        [this.tenantId, user_id, skill_id, level],
      );
    }
    for (const department of departments) {
      await db.query(
        'INSERT INTO department_members (tenant_id, department_id, user_id) VALUES ($1, $2, $3)',
        [this.tenantId, this.departmentIds[department], user_id],
      );
    }
    if (is_excluded) {
      await db.query(
        `INSERT INTO offer_exclusions (tenant_id, call_id, user_id, until)
         SELECT $1, id, $2, now() + interval '1 hour' FROM unnest($3::uuid[]) AS id`,
        [this.tenantId, user_id, callIds],
      );
    }
  }
}
