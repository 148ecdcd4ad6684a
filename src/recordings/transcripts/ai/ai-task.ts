import type { DomainEvent } from '../../../platform/events/domain-event';
import type { Feature } from '../../../plans/plan-catalogue';

type ResultEvent = new (tenantId: string, recordingId: string, at: string, callId: string) => DomainEvent;

/** A kind of result that a provider makes of a recording. */
export interface AiTask {
  /** For the log. */
  name: string;
  table: 'transcripts' | 'summaries';
  /** What the plan in force has to include. */
  feature: Feature;
  job: string;
  ready: ResultEvent;
  failed: ResultEvent;
  retried: ResultEvent;
}

/** The recording that a job is about: all that travels in it. */
export interface RecordingRef {
  tenant_id: string;
  recording_id: string;
  call_id: string;
}

/** What happened to a result of the recording. @param at ISO 8601 */
export const resultEvent = (
  Event: ResultEvent,
  { tenant_id, recording_id, call_id }: RecordingRef,
  at: string,
): DomainEvent => new Event(tenant_id, recording_id, at, call_id);
