import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { STORAGE, type Storage } from '../platform/storage/storage';
import {
  type BriefInspection,
  INSPECTION_LIMITS,
  type MediaFile,
  type MediaInfo,
  MediaInspector,
} from './media-inspector';

/** A stored object that is inspected. */
export interface InspectedObject {
  key: string;
  /** Bytes. */
  size: number;
  /** Detected from the first bytes. */
  content_type: string;
}

/** Two, so that a malformed file of one tenant, which can take all of its time, does not delay other tenants. */
const RESPONSE_PROCESSES = 2;

/** One, since inspections that take long can use a whole core. */
const JOB_PROCESSES = 1;

/**
 * Reads type and duration of stored recordings. Inspections for responses and those of jobs use different processes, so
 * that the former never wait for the latter.
 */
@Injectable()
export class RecordingInspector {
  /** How long the response to an upload waits for the inspection. */
  protected readonly responseMs: number = 1000;
  private readonly forResponses = new MediaInspector(RESPONSE_PROCESSES);
  private readonly forJobs = new MediaInspector(JOB_PROCESSES);

  constructor(@Inject(STORAGE) private readonly storage: Storage) {}

  /** Inspects an object as long as a response may wait. */
  inspectBriefly(tenantId: string, object: InspectedObject): Promise<BriefInspection> {
    const limits = { ...INSPECTION_LIMITS, durationMs: this.responseMs };
    return this.forResponses.inspectBriefly(tenantId, this.fileOf(object), limits);
  }

  /**
   * Inspects an object within the limits of every inspection.
   * @throws InspectionPausedError if inspections of the tenant are paused; Error if the object could not be read or no
   *   process could be started
   */
  inspect(tenantId: string, object: InspectedObject, signal: AbortSignal): Promise<MediaInfo> {
    return this.forJobs.inspect(tenantId, this.fileOf(object), signal);
  }

  private fileOf({ key, size, content_type: type }: InspectedObject): MediaFile {
    return { size, type, read: async (start, end) => buffer(await this.storage.read(key, { start, end })) };
  }
}
