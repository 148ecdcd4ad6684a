import { ApiError } from '../../../shared/api/client';
import type { StaffSession } from '../staff-session';
import { holdLock } from './held-lock';
import { leftoverParts, nameOf, type RecordingPart } from './part-store';
import { uploadByTus } from './tus-upload';

/** A part that the service refuses, for example because the plan's storage is used up, is kept for this time. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Uploads the parts of recordings of one user, and deletes them here afterwards. */
export class RecordingUploads {
  private isBusy = false;

  constructor(
    private readonly session: StaffSession,
    private readonly userId: string,
  ) {}

  /** Uploads what earlier page loads left on disk. A failure leaves it there for the next time. */
  async uploadLeftovers(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (const part of await leftoverParts(this.userId)) {
      await this.upload(part).catch(() => this.removeIfOld(part));
    }
    this.isBusy = false;
  }

  /** Does nothing while another page records or uploads the part. @throws ApiError: the part is kept */
  async upload(part: RecordingPart): Promise<void> {
    const release = await holdLock(`vcq-part ${nameOf(part.key)}`);
    if (!release) return;
    try {
      const content = await part.content();
      if (content.size > 0) await this.send(part, content);
      await part.remove();
    } catch (error) {
      // The personal data of the call, or its department, was deleted, so the part must not stay here either.
      if (['call_erased', 'department_deleted'].includes((error as ApiError).code)) await part.remove();
      throw error;
    } finally {
      await release();
    }
  }

  private async send(part: RecordingPart, content: Blob): Promise<void> {
    const { call_id, type, started_at } = part.key;
    await uploadByTus(content, {
      url: new URL(`/api/v1/calls/${call_id}/recording/tus`, location.href).href,
      send: (request) => this.sendRequest(request),
      metadata: { filetype: type, part: String(started_at) },
      location: await part.uploadLocation(),
      onLocation: (begun) => part.keepUploadLocation(begun),
    });
  }

  private async sendRequest(request: Request): Promise<Response> {
    // Another user has logged in meanwhile.
    if (this.session.user.value?.id !== this.userId) return new Response(null, { status: 403 });
    return this.session.send(request);
  }

  private async removeIfOld(part: RecordingPart): Promise<void> {
    if (Date.now() - part.key.started_at > MAX_AGE_MS) await part.remove().catch(() => undefined);
  }
}
