import { type Api, unwrap } from '../../shared/api/client';
import type { CallStatusAnswer, LinkValidation, QueueEntry } from '../state/server.types';

/** What the customer fills in to join. */
export interface JoinForm {
  name: string;
  email: string | null;
  phone: string | null;
  reason: string | null;
}

/** The requests of the customer's page. The Bearer token is the websocket_token. */
export class CustomerApi {
  constructor(
    private readonly api: Api,
    private readonly linkToken: string,
    /** For requests that take long. */
    private readonly uploads: Api = api,
  ) {}

  async validate(): Promise<LinkValidation> {
    const path = { token: this.linkToken };
    const answer = await unwrap(this.api.GET('/api/v1/call/{token}/validate', { params: { path } }));
    return answer.data;
  }

  /** @param callback the address of the message about the turn, for a callback that is requested with the join */
  async join(form: JoinForm, idempotencyKey: string, callback?: string): Promise<QueueEntry> {
    const params = { path: { token: this.linkToken }, header: { 'Idempotency-Key': idempotencyKey } };
    const request = { channel: 'email' as const, email: callback };
    // The service knows the name of a customer with an appointment.
    const filled = { ...form, name: form.name || null };
    const body = callback === undefined ? filled : { ...filled, callback: request };
    return (await unwrap(this.api.POST('/api/v1/call/{token}/join', { params, body }))).data;
  }

  /** @param token a websocket_token or the token of a resume link */
  async resume(token: string): Promise<QueueEntry> {
    return (await unwrap(this.api.POST('/api/v1/call/resume', { body: { websocket_token: token } }))).data;
  }

  /** Tells the service nothing of the customer. */
  async status(callId: string): Promise<CallStatusAnswer> {
    return (await unwrap(this.api.GET('/api/v1/call/status/{call_id}', at(callId)))).data;
  }

  /** @param token of a call that is not that of this page */
  async leave(callId: string, token?: string): Promise<void> {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    // Is sent also if the page is closed meanwhile.
    const init = { ...at(callId), headers, keepalive: true };
    await unwrap(this.api.POST('/api/v1/call/cancel/{call_id}', init));
  }

  /** @param email null for the address of the join */
  async requestCallback(callId: string, email: string | null): Promise<QueueEntry> {
    const body = { channel: 'email' as const, email };
    return (await unwrap(this.api.POST('/api/v1/call/callback/{call_id}', { ...at(callId), body }))).data;
  }

  async cancelCallback(callId: string): Promise<void> {
    await unwrap(this.api.DELETE('/api/v1/call/callback/{call_id}', at(callId)));
  }

  async rate(callId: string, rating: number, comment: string | null): Promise<void> {
    const body = { rating, comment };
    await unwrap(this.api.POST('/api/v1/call/evaluate/{call_id}', { ...at(callId), body }));
  }

  /** Sends a file in the chat of the call. */
  async sendFile(callId: string, file: File): Promise<void> {
    const form = new FormData();
    form.append('file', file);
    const init = { ...at(callId), body: { file: '' }, bodySerializer: () => form };
    await unwrap(this.uploads.POST('/api/v1/call/files/{call_id}', init));
  }

  async iceServers(): Promise<RTCIceServer[]> {
    const answer = await unwrap(this.api.GET('/api/v1/call/turn-credentials'));
    const { urls, username, credential } = answer.data;
    return [{ urls, username, credential }];
  }
}

const at = (callId: string) => ({ params: { path: { call_id: callId } } });
