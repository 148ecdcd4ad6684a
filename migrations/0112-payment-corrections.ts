import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifications that undo an earlier one of the same charge. `kind` stays 'other', so that former releases ignore them. */
export class PaymentCorrections1780000000112 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway_events ADD correction text;
      ALTER TABLE gateway_events ADD CONSTRAINT gateway_events_correction_check CHECK (correction IN
        ('rescheduled', 'deleted', 'restored', 'cash_undone', 'charged_back', 'chargeback_reversed')) NOT VALID;
      -- Set because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      -- In one pass over the table, because gateways wait for the lock.
      UPDATE gateway_events SET
          kind = CASE event WHEN 'PAYMENT_DUNNING_RECEIVED' THEN 'paid' ELSE kind END,
          correction = CASE event
            WHEN 'PAYMENT_DELETED' THEN 'deleted'
            WHEN 'PAYMENT_RESTORED' THEN 'restored'
            WHEN 'PAYMENT_RECEIVED_IN_CASH_UNDONE' THEN 'cash_undone'
            WHEN 'PAYMENT_CHARGEBACK_REQUESTED' THEN 'charged_back'
            WHEN 'PAYMENT_CHARGEBACK_DISPUTE' THEN 'charged_back'
            WHEN 'PAYMENT_AWAITING_CHARGEBACK_REVERSAL' THEN 'chargeback_reversed'
            WHEN 'PAYMENT_UPDATED' THEN 'rescheduled' END
        WHERE event IN ('PAYMENT_DUNNING_RECEIVED', 'PAYMENT_DELETED', 'PAYMENT_RESTORED', 'PAYMENT_RECEIVED_IN_CASH_UNDONE',
            'PAYMENT_CHARGEBACK_REQUESTED', 'PAYMENT_CHARGEBACK_DISPUTE', 'PAYMENT_AWAITING_CHARGEBACK_REVERSAL')
          OR (event = 'PAYMENT_UPDATED' AND payload #>> '{payment,dueDate}' >= left(payload ->> 'dateCreated', 10));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gateway_events DROP correction`);
  }
}
