import { Inject, Injectable } from '@nestjs/common';
import { DownloadLog } from '../../audit/download-log';
import { CONFIG, type Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { ApiError, notFound, unprocessable } from '../../platform/http/errors/api-error';
import type { Principal } from '../../platform/access/principal';
import { SummaryRead, TranscriptRead } from '../recording.events';
import { GenerationRequests } from './generation-requests';
import { SUMMARY, SummaryGenerator } from './summary-generator';
import type { RetriedDto, SummaryDto, TranscriptDto } from './transcript.dto';
import { TRANSCRIPT, TranscriptGenerator } from './transcript-generator';
import { Statement } from '../../platform/database/statement';

/** null: none was requested. */
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

interface ReadRequest {
  call_id: string;
  /** The newest recording by default. */
  recording_id?: string | undefined;
  /** Whether the text is sent, which the audit log records; not for HEAD. */
  isHandedOut: boolean;
}

/** Transcript and summary of a call: of the given recording, or of the newest one. */
@Injectable()
export class TranscriptsService {
  constructor(
    private readonly database: Database,
    private readonly requests: GenerationRequests,
    private readonly transcripts: TranscriptGenerator,
    private readonly summaries: SummaryGenerator,
    private readonly downloads: DownloadLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws 404 `none`, `not_ready` or `failed`; `not_found` for an unknown recording */
  async transcript(user: Principal, request: ReadRequest): Promise<TranscriptDto> {
    const { call_id } = request;
    const row = await this.read(user, request);
    const ready = ensureReady('transcript', row, row?.transcript_status);
    await this.record(TranscriptRead, user, request, ready);
    const { transcript, language, transcribed_at } = ready;
    return { call_id, transcript, language, generated_at: transcribed_at };
  }

  /** @throws 404 `none`, `not_ready` or `failed`; `not_found` for an unknown recording */
  async summary(user: Principal, request: ReadRequest): Promise<SummaryDto> {
    const { call_id } = request;
    const row = await this.read(user, request);
    const status = row && (row.summary_status ?? this.statusBeforeSummary(row));
    const ready = ensureReady('summary', row, status);
    await this.record(SummaryRead, user, request, ready);
    const { summary, provider, model, summarised_at } = ready;
    return { call_id, summary, provider, model, generated_at: summarised_at };
  }

  /**
   * Requests the transcript, or else the summary, again if it failed, or for the first time if the plan or the
   * configuration did not include it when the recording was added.
   * @throws 404 `none`, or `not_found` for an unknown recording; 422 `not_failed`
   */
  retry(user: Principal, call_id: string, recordingId?: string): Promise<RetriedDto> {
    const { tenant_id } = user;
    return this.database.tenant(tenant_id, async (tx) => {
      const { text, values } = rowStatement(tenant_id, call_id, recordingId);
      // The lock keeps the recording from being deleted before its row is written.
      const row = await tx.one<Row>(`${text} FOR KEY SHARE OF r`, values);
      if (!row && recordingId) throw notFound('Recording');
      if (!row) throw none('transcript');
      const { recording_id, transcript_status } = row;
      const ref = { tenant_id, recording_id, call_id };
      const isWanted = await this.transcripts.isWanted(tx, ref);
      if (transcript_status === null && !isWanted) throw none('transcript');
      const isRequested =
        (await this.requests.retry(tx, TRANSCRIPT, ref, isWanted)) ||
        (await this.requests.retry(tx, SUMMARY, ref, await this.summaries.isWanted(tx, ref)));
      if (isRequested) return { call_id, recording_id, status: 'pending' };
      throw unprocessable('not_failed', 'Neither the transcript nor the summary has failed or is missing.');
    });
  }

  private async read({ tenant_id }: Principal, { call_id, recording_id }: ReadRequest) {
    const [[row]] = await this.database.readTenant<[Row]>(tenant_id, [
      rowStatement(tenant_id, call_id, recording_id),
    ]);
    if (!row && recording_id) throw notFound('Recording');
    return row;
  }

  /** Reading what was said is recorded as playing the recording is: once in 5 minutes. */
  private async record(
    Sent: typeof TranscriptRead | typeof SummaryRead,
    { tenant_id, session_id }: Principal,
    { call_id, isHandedOut }: ReadRequest,
    { recording_id }: Row,
  ): Promise<void> {
    if (!isHandedOut) return;
    await this.downloads.record(Sent, { tenant_id, id: recording_id, call_id, key: { session_id } }, true);
  }

  /** A summary is only requested once its transcript is ready: until then it has the transcript's status. */
  private statusBeforeSummary({ transcript_status }: Row): Status {
    return this.config.ai?.summaryModel && transcript_status !== 'ready' ? transcript_status : null;
  }
}

const rowStatement = (
  tenantId: string,
  callId: string,
  recordingId?: string,
): Required<Pick<Statement, 'text' | 'values'>> => ({
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
function ensureReady(name: string, row: Row | undefined, status: Status | undefined): Row {
  if (row && status === 'ready') return row;
  if (status === 'pending') throw new ApiError(404, 'not_ready', `The ${name} is not ready yet.`);
  if (status === 'failed') throw new ApiError(404, 'failed', `The ${name} could not be generated.`);
  throw none(name);
}

const none = (name: string) => new ApiError(404, 'none', `This call has no ${name}.`);
