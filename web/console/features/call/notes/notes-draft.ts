import { signal } from '@preact/signals-core';
import type { ApiError } from '../../../../shared/api/client';
import { spread } from '../../../../shared/socket-retry';

const DEBOUNCE_MS = 800;
const RETRY_MS = 5000;
/** Refusals that end: the login has expired, or there were too many requests. */
const PASSING = new Set([401, 408, 429]);

export type NotesStatus = 'idle' | 'unsaved' | 'saving' | 'saved' | 'failed' | 'refused';

interface NotesDraftOptions {
  /** Of the service. */
  initial: string;
  save: (notes: string) => Promise<unknown>;
  /** Keeps what is not saved yet over a reload. */
  unsaved: { read(): string | null; keep(text: string): void; clear(): void };
}

/** The notes of one call while they are typed: saved after a pause, and again until it succeeds. */
export class NotesDraft {
  readonly text;
  readonly status = signal<NotesStatus>('idle');
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | null = null;
  /** What the service said last. */
  private followed: string | null = null;
  /** Saved here, but not yet said by the service. */
  private readonly echoes = new Set<string>();

  constructor(private readonly options: NotesDraftOptions) {
    const left = options.unsaved.read();
    this.text = signal(left ?? options.initial);
    if (left === null) return;
    this.status.value = 'unsaved';
    this.schedule(0);
  }

  change(text: string): void {
    this.text.value = text;
    this.options.unsaved.keep(text);
    if (this.status.value !== 'saving') this.status.value = 'unsaved';
    this.schedule(DEBOUNCE_MS);
  }

  /**
   * Shows what the service has when somebody else has changed it: the next agent of the call, another tab, a supervisor.
   * What is not saved here stays. So does what was saved here while the service repeats earlier texts of this page, which it
   * has trimmed. What the service has refused would replace the text of somebody else when it is sent again: both are kept.
   */
  follow(notes: string): void {
    if (notes === this.followed) return;
    this.followed = notes;
    const { value: text } = this.text;
    if (notes === text.trim()) this.echoes.clear();
    else if (this.echoes.has(notes)) return;
    else if (this.options.unsaved.read() === null) {
      this.text.value = notes;
      this.status.value = 'idle';
    } else if (this.status.value === 'refused' && notes !== '') this.change(`${notes}\n${text}`);
  }

  /** Saves at once what is not saved. Never rejects: `status` tells what became of it. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    if (this.options.unsaved.read() === null) return this.sending ?? Promise.resolve();
    this.sending ??= this.send().finally(() => (this.sending = null));
    return this.sending;
  }

  private async send(): Promise<void> {
    const text = this.text.value;
    this.status.value = 'saving';
    this.echoes.add(text.trim());
    try {
      await this.options.save(text);
    } catch (error) {
      this.fail(error as Partial<ApiError>);
      return;
    }
    if (this.text.value === text) {
      this.options.unsaved.clear();
      this.status.value = 'saved';
    } else {
      // Typed meanwhile, with a pause of its own.
      this.status.value = 'unsaved';
      this.schedule(DEBOUNCE_MS);
    }
  }

  private fail({ status = 0, code }: Partial<ApiError>): void {
    const isFinal = status >= 400 && status < 500 && !PASSING.has(status);
    this.status.value = isFinal ? 'refused' : 'failed';
    if (!isFinal) this.schedule(spread(RETRY_MS));
    // What was written about a person who was erased must not stay here either.
    else if (status === 404 || code === 'call_erased') this.options.unsaved.clear();
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), delay);
  }
}
