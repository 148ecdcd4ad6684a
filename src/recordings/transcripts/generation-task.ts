import type { Feature } from '../../plans/plan-catalogue';
import type { DomainEvent } from '../../platform/events/domain-event';

type GenerationEvent = new (tenantId: string, recordingId: string, at: string, callId: string) => DomainEvent;

/** Describes what a model generates from a recording: its table, job, plan feature and events. */
export interface GenerationTask {
  /** For the log. */
  name: string;
  table: 'transcripts' | 'summaries';
  /** Feature that the tenant's plan must include. */
  feature: Feature;
  job: string;
  ready: GenerationEvent;
  failed: GenerationEvent;
  retried: GenerationEvent;
}

/** Data of a job: the recording that it works on. */
export interface RecordingRef {
  tenant_id: string;
  recording_id: string;
  call_id: string;
}

/** Creates an event about what was generated from a recording. @param at ISO 8601 */
export const generationEvent = (
  Event: GenerationEvent,
  { tenant_id, recording_id, call_id }: RecordingRef,
  at: string,
): DomainEvent => new Event(tenant_id, recording_id, at, call_id);
