import { signal } from '@preact/signals-core';
import { ApiError, unwrap } from '../../shared/api/client';
import { AgentCall, type CallContext } from './agent-call';

/** Refusals that end: the login has expired, or there were too many requests. */
const PASSING = new Set([401, 429]);

/** The call that this tab had until it ended. It stays until the agent closes it or takes another one, also over a reload. */
export class EndedCall {
  /** After a reload it is known before the call. */
  readonly id;
  readonly current = signal<AgentCall | null>(null);
  /** The one that the agent has closed last. */
  readonly closedId = signal<string | null>(null);
  private readonly key: string;

  constructor(private readonly context: CallContext) {
    this.key = `vcq-ended-call ${context.userId}`;
    this.id = signal(sessionStorage.getItem(this.key));
  }

  keep(call: AgentCall): void {
    sessionStorage.setItem(this.key, call.id);
    this.id.value = call.id;
    this.current.value = call;
  }

  close(): void {
    this.closedId.value = this.id.value;
    this.forget();
  }

  forget(): void {
    sessionStorage.removeItem(this.key);
    this.id.value = null;
    this.current.value = null;
  }

  /** Brings it back after a reload. Without an answer, the next connection asks again. */
  async restore(): Promise<void> {
    const id = this.id.value;
    if (id === null || this.current.value) return;
    const { api } = this.context.session;
    const params = { path: { id } };
    try {
      const [{ data: call }, { data: messages }] = await Promise.all([
        unwrap(api.GET('/api/v1/calls/{id}', { params })),
        unwrap(api.GET('/api/v1/calls/{id}/chat', { params })),
      ]);
      if (this.id.value !== id || this.current.value) return;
      const ended = new AgentCall(call, this.context);
      ended.close();
      ended.messages.value = messages;
      this.current.value = ended;
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      // The agent may not see it any more.
      if (this.id.value === id && status >= 400 && status < 500 && !PASSING.has(status)) this.forget();
    }
  }
}
