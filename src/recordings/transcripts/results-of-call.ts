import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement';
import { ApiError, notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { AiRequests } from './ai/ai-requests';
import { Summaries, SUMMARY } from './summaries';
import type { RetriedDto, SummaryDto, TranscriptDto } from './transcript.dto';
import { TRANSCRIPTION, TranscriptsService } from './transcripts.service';

/** null: none was asked for. */
type Status = 'pending' | 'ready' | 'failed' | null;

interface Row {
  recording_id: string;
  transcript_status: Status;
  transcript: string;
  language: string;
  transcribed_at: string;
  summary_status: Status;
  summary: string;
  provider: string;
  model: string;
  summarised_at: string;
}

/** The transcript and the summary of a call: those of its newest recording, or of one that is named. */
@Injectable()
export class ResultsOfCall {
  constructor(
    private readonly database: Database,
    private readonly requests: AiRequests,
    private readonly transcripts: TranscriptsService,
    private readonly summaries: Summaries,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 404 `none`, `not_ready` or `failed`; `not_found` for the recording */
  async transcript(user: Principal, call_id: string, recordingId?: string): Promise<TranscriptDto> {
    const row = await this.read(user, call_id, recordingId);
    const { transcript, language, transcribed_at } = readyOrNone('transcript', row, row?.transcript_status);
    return { call_id, transcript, language, generated_at: transcribed_at };
  }

  /** @throws 404 `none`, `not_ready` or `failed`; `not_found` for the recording */
  async summary(user: Principal, call_id: string, recordingId?: string): Promise<SummaryDto> {
    const row = await this.read(user, call_id, recordingId);
    const status = row && (row.summary_status ?? this.beforeSummary(row));
    const { summary, provider, model, summarised_at } = readyOrNone('summary', row, status);
    return { call_id, summary, provider, model, generated_at: summarised_at };
  }

  /**
   * Asks again for the transcript, or else the summary, that failed, or for one that was not asked for when plan or
   * settings left it out.
   * @throws 404 `none`, or `not_found` for the recording; 422 when there is nothing to ask for
   */
  retry(user: Principal, call_id: string, recordingId?: string): Promise<RetriedDto> {
    const { tenant_id } = user;
    return this.database.tenant(tenant_id, async (tx) => {
      const { text, values } = rowOf(tenant_id, call_id, recordingId);
      // The recording stays until there is a row for it.
      const row = await tx.one<Row>(`${text} FOR KEY SHARE OF r`, values);
      if (!row && recordingId) throw notFound('Recording');
      if (!row) throw none('transcript');
      const { recording_id, transcript_status } = row;
      const ref = { tenant_id, recording_id, call_id };
      const wanted = await this.transcripts.isWanted(tx, ref);
      if (transcript_status === null && !wanted) throw none('transcript');
      const asked =
        (await this.requests.retry(tx, TRANSCRIPTION, ref, wanted)) ||
        (await this.requests.retry(tx, SUMMARY, ref, await this.summaries.isWanted(tx, ref)));
      if (asked) return { call_id, recording_id, status: 'pending' };
      throw unprocessable('not_failed', 'Neither the transcript nor the summary has failed or is missing.');
    });
  }

  private async read({ tenant_id }: Principal, callId: string, recordingId?: string) {
    const [[row]] = await this.database.readTenant<[Row]>(tenant_id, [rowOf(tenant_id, callId, recordingId)]);
    if (!row && recordingId) throw notFound('Recording');
    return row;
  }

  /** A summary is asked for when its transcript is ready; whoever waits for it waits for both. */
  private beforeSummary({ transcript_status }: Row): Status {
    return this.config.ai?.summaryModel && transcript_status !== 'ready' ? transcript_status : null;
  }
}

const rowOf = (
  tenantId: string,
  callId: string,
  recordingId?: string,
): Required<Omit<Statement, 'name'>> => ({
  text: `SELECT r.id AS recording_id,
      t.status AS transcript_status, t.transcript, t.language, t.generated_at AS transcribed_at,
      s.status AS summary_status, s.summary, s.provider, s.model, s.generated_at AS summarised_at
    FROM recordings r
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id
    WHERE r.tenant_id = $1 AND r.call_id = $2 AND ($3::uuid IS NULL OR r.id = $3)
    ORDER BY r.inserted_at DESC, r.id DESC LIMIT 1`,
  values: [tenantId, callId, recordingId ?? null],
});

/** @throws 404 unless the result is ready */
function readyOrNone(what: string, row: Row | undefined, status: Status | undefined): Row {
  if (row && status === 'ready') return row;
  if (status === 'pending') throw new ApiError(404, 'not_ready', `The ${what} is not ready yet.`);
  if (status === 'failed') throw new ApiError(404, 'failed', `The ${what} could not be made.`);
  throw none(what);
}

const none = (what: string) => new ApiError(404, 'none', `This call has no ${what}.`);
