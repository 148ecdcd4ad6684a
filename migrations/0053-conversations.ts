import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * What belongs to the conversation of a call besides its media: chat messages, the customer's device, the quality of the
 * connection, and the state of the recording with the customer's consent.
 */
export class Conversations1780000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls
        ADD chat_message_count integer NOT NULL DEFAULT 0,
        -- {camera, microphone, network, relay}: the latest report of the customer.
        ADD device_report jsonb,
        ADD device_reported_at timestamptz(3),
        -- Null until the agent asks for the customer's consent; then as in the contract of the socket.
        ADD recording text,
        ADD recording_consent boolean,
        -- When the customer answered last.
        ADD recording_consent_at timestamptz(3),
        ADD CONSTRAINT calls_recording_check CHECK (recording IN ('requested', 'on', 'off')) NOT VALID,
        ADD CONSTRAINT calls_recording_consent_check
          CHECK (recording IS DISTINCT FROM 'on' OR recording_consent IS TRUE) NOT VALID;

      CREATE TABLE chat_messages (
        call_id uuid NOT NULL,
        -- 1 is the first message of the call.
        number integer NOT NULL,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL,
        -- The agent who wrote it; null for the customer.
        user_id uuid,
        -- By which a client sends a message again without sending it twice.
        client_id text,
        text text NOT NULL,
        sent_at timestamptz(3) NOT NULL,
        CONSTRAINT chat_messages_pkey PRIMARY KEY (call_id, number),
        CONSTRAINT chat_messages_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX chat_messages_client_key ON chat_messages (call_id, user_id, client_id) NULLS NOT DISTINCT
        WHERE client_id IS NOT NULL;
      ${tenantPolicy('chat_messages')}

      -- The reports of one side within one minute.
      CREATE TABLE call_quality (
        call_id uuid NOT NULL,
        participant text NOT NULL CONSTRAINT call_quality_participant_check CHECK (participant IN ('customer', 'agent')),
        minute timestamptz(0) NOT NULL,
        tenant_id uuid NOT NULL,
        -- The agent; null for the customer.
        user_id uuid,
        reported_at timestamptz(3) NOT NULL,
        samples smallint NOT NULL,
        -- Milliseconds. A browser may not know a figure, so each has a count of its own.
        rtt_count smallint NOT NULL,
        rtt_sum real NOT NULL,
        rtt_max real,
        loss_count smallint NOT NULL,
        loss_sum real NOT NULL,
        loss_max real,
        -- Bit/s.
        bitrate_count smallint NOT NULL,
        bitrate_sum double precision NOT NULL,
        bitrate_min double precision,
        CONSTRAINT call_quality_pkey PRIMARY KEY (call_id, participant, minute),
        CONSTRAINT call_quality_call_id_fkey FOREIGN KEY (tenant_id, call_id)
          REFERENCES calls (tenant_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      ${tenantPolicy('call_quality')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE chat_messages, call_quality;
      ALTER TABLE calls DROP chat_message_count, DROP device_report, DROP device_reported_at,
        DROP recording, DROP recording_consent, DROP recording_consent_at;
    `);
  }
}
