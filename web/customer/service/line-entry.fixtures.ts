import { ApiError } from '../../shared/api/api-error';
import type { PageData } from '../../shared/page-data';
import type { LinkValidation, QueueEntry } from '../state/server.types';
import { moment } from '../state/state.fixtures';
import type { CustomerApi, JoinForm } from './customer-api';
import { type Attempts, LineEntry } from './line-entry';
import type { LiveCall } from './live-call';
import type { PageHistory } from './page-history';
import { PageStore } from './page-store';
import { TokenStore } from './token-store';

/** A page with fakes around LineEntry and PageStore. */

export const FORM: JoinForm = { name: 'Maria', email: null, phone: null, reason: null };
export const LINK = { department_name: 'Support', open: true, opens_at: null };

/** Answers of the service in their order; an Error is a refusal. */
class FakeApi {
  readonly answers: (QueueEntry | Error | object)[] = [];
  readonly requests: unknown[][] = [];
  join = (form: JoinForm, key: string, callback?: string) =>
    this.answer<QueueEntry>('join', form.name, key, ...(callback === undefined ? [] : [callback]));
  requestCallback = (callId: string, email: string) =>
    this.answer<QueueEntry>('requestCallback', callId, email);
  resume = (token: string) => this.answer<QueueEntry>('resume', token);
  status = (callId: string) => this.answer<object>('status', callId);
  validate = () => this.answer<LinkValidation>('validate');
  leave = (callId: string) => this.answer<void>('leave', callId);

  private async answer<Result>(...request: unknown[]): Promise<Result> {
    this.requests.push(request);
    const answer = this.answers.shift() ?? failure('network');
    if (answer instanceof Error) throw answer;
    return answer as Result;
  }
}

class FakeLive {
  isOpen = false;
  onEvent = () => {};
  onRefused = () => {};
  onExpiring = () => {};
  moment = () => moment();
  opened = 0;
  open = () => {
    this.isOpen = true;
    this.opened++;
  };
  close = () => (this.isOpen = false);
}

class FakeHistory {
  keys = 1;
  resumeToken: string | null = null;
  draft: object | undefined;
  readyFor: string | undefined;
  keepDraft = (draft: object | undefined) => void (this.draft = draft);
  keepReady = (callId: string | undefined) => void (this.readyFor = callId);
  joinKey = () => `key-${this.keys}`;
  sentJoin: object | undefined;
  keepSentJoin = (sentJoin: object) => void (this.sentJoin = sentJoin);
  forgetJoinKey = () => {
    this.keys++;
    this.sentJoin = undefined;
  };
  takeResumeToken = () => this.resumeToken;
}

/** Of a screen that stays. */
export const attempts = (onRetry?: Attempts['onRetry']): Attempts => ({
  signal: new AbortController().signal,
  onRetry,
});

export const failure = (code: string, status = code === 'network' ? 0 : 422) =>
  new ApiError({ code, status, detail: '' });

export function openPage({
  token,
  resumeToken = null,
  link = LINK,
}: {
  token?: string;
  resumeToken?: string | null;
  link?: object | null;
}) {
  const tokens = new TokenStore('link', () => undefined);
  if (token) tokens.set(token);
  const [api, live, history] = [new FakeApi(), new FakeLive(), new FakeHistory()];
  history.resumeToken = resumeToken;
  const page = {
    token: 'link',
    link,
    error: link ? null : { code: 'link_used', detail: '', request_id: 'r' },
  };
  const store = new PageStore(page as unknown as PageData, tokens, live as unknown as LiveCall, history);
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const lineEntry = new LineEntry(
    store,
    api as unknown as CustomerApi,
    history as unknown as PageHistory,
    pause,
  );
  const started = async () => {
    lineEntry.start();
    await settled();
  };
  return { api, live, history, store, tokens, entry: lineEntry, pauses, started };
}

/** All that follows from answers which are there already. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
