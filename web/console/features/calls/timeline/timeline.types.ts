/** An entry of GET /calls/{id}/timeline with the fields that depend on its type. */
export interface TimelineEntry {
  at: string;
  type: string;
  user_id: string | null;
  user_name: string | null;
  [field: string]: unknown;
}

export interface Candidate {
  user_id: string;
  user_name: string | null;
  idle_since: string | null;
  skills: { skill_id: string; level: number }[];
}

/** The reports of one side of the call. */
export interface SideReport {
  rtt_ms: number | null;
  /** 0 to 1. */
  loss: number | null;
  max_loss: number | null;
  /** Bit/s. */
  min_bitrate: number | null;
  samples: number;
}

export type Side = 'customer' | 'agent';

/** Several reports of the quality, one after another. */
export interface QualityRun {
  type: 'quality';
  at: string;
  until: string;
  sides: Partial<Record<Side, SideReport>>;
}

export type TimelineItem = TimelineEntry | QualityRun;
