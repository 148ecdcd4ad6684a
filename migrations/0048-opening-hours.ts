import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When departments are open, and what happens to their waiting calls when they close. */
export class OpeningHours1780000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE departments
        -- Null: always open.
        ADD opening_hours jsonb,
        ADD on_close text NOT NULL DEFAULT 'keep'
          CONSTRAINT departments_on_close_check CHECK (on_close IN ('keep', 'end')),
        -- Null: never, or not yet known.
        ADD closing_at timestamptz(3),
        -- When the closing is to be computed, announced or carried out; null unless closing ends calls.
        ADD closing_deadline timestamptz(3);
      CREATE INDEX departments_closing_deadline_idx ON departments (closing_deadline, id)
        WHERE closing_deadline IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE departments DROP opening_hours, DROP on_close, DROP closing_at, DROP closing_deadline;
    `);
  }
}
