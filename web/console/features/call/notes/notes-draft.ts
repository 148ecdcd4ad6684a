import { signal } from '@preact/signals-core';

const DEBOUNCE_MS = 800;
const RETRY_MS = 5000;

export type NotesStatus = 'idle' | 'unsaved' | 'saving' | 'saved' | 'failed';

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
    try {
      await this.options.save(text);
    } catch {
      this.status.value = 'failed';
      this.schedule(RETRY_MS);
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

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), delay);
  }
}
