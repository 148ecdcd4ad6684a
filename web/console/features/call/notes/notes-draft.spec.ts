import { NotesDraft } from './notes-draft';

/** What `sessionStorage` keeps. */
function memory(text: string | null = null) {
  const kept = { text };
  return {
    kept,
    read: () => kept.text,
    keep: (changed: string) => void (kept.text = changed),
    clear: () => void (kept.text = null),
  };
}

describe('NotesDraft', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('saves once after a pause, and keeps the text until then', async () => {
    const unsaved = memory();
    const save = jest.fn(() => Promise.resolve());
    const draft = new NotesDraft({ initial: '', save, unsaved });
    draft.change('A');
    draft.change('AB');
    expect(unsaved.kept.text).toBe('AB');
    expect(save).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1000);
    expect(save.mock.calls).toEqual([['AB']]);
    expect(draft.status.value).toBe('saved');
    expect(unsaved.kept.text).toBeNull();
  });

  it('keeps the text when saving fails, and tries again', async () => {
    const unsaved = memory();
    const save = jest.fn(() => Promise.resolve());
    save.mockRejectedValueOnce(new Error('offline'));
    const draft = new NotesDraft({ initial: '', save, unsaved });
    draft.change('A');
    await jest.advanceTimersByTimeAsync(1000);
    expect(draft.status.value).toBe('failed');
    expect(unsaved.kept.text).toBe('A');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(draft.status.value).toBe('saved');
  });

  it.each([
    ['is not the agent of the call any more', { status: 403, code: 'not_your_call' }, 'A'],
    ['wrote about a person who was erased', { status: 422, code: 'call_erased' }, null],
    ['wrote about a call that is gone', { status: 404, code: 'not_found' }, null],
  ])('does not send them again when the agent %s', async (_, refusal, kept) => {
    const unsaved = memory();
    const save = jest.fn(() => Promise.reject(Object.assign(new Error(''), refusal)));
    const draft = new NotesDraft({ initial: '', save, unsaved });
    draft.change('A');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(draft.status.value).toBe('refused');
    expect(unsaved.kept.text).toBe(kept);
  });

  it('saves what was typed while it was saving', async () => {
    const unsaved = memory();
    const finish: (() => void)[] = [];
    const save = jest.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
    const draft = new NotesDraft({ initial: '', save, unsaved });
    draft.change('A');
    await jest.advanceTimersByTimeAsync(1000);
    draft.change('AB');
    finish[0]?.();
    await jest.advanceTimersByTimeAsync(2000);
    expect(save.mock.calls).toEqual([['A'], ['AB']]);
    expect(unsaved.kept.text).toBe('AB');
    finish[1]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(unsaved.kept.text).toBeNull();
  });

  it.each<[string, { service: string[]; typed?: string[]; text: string }]>([
    ['shows what the next agent made of them', { typed: ['X'], service: ['X', 'X Y'], text: 'X Y' }],
    ['shows what the next agent has cut off', { typed: ['X', 'X Y'], service: ['X', 'X Y', 'X'], text: 'X' }],
    [
      'keeps what it has saved when an earlier text is repeated',
      { typed: ['X', 'X Y'], service: ['X'], text: 'X Y' },
    ],
    [
      'keeps what it has saved when it is asked with the text of before',
      { service: ['', ''], typed: ['X'], text: 'X' },
    ],
    [
      'keeps a space at the end, which the service has cut off',
      { typed: ['X '], service: ['X'], text: 'X ' },
    ],
    ['shows that they were erased', { typed: ['X'], service: ['X', ''], text: '' }],
  ])('%s', async (_, { service, typed = [], text }) => {
    const draft = new NotesDraft({ initial: '', save: () => Promise.resolve(), unsaved: memory() });
    draft.follow('');
    for (const one of typed) {
      draft.change(one);
      await jest.advanceTimersByTimeAsync(1000);
    }
    for (const notes of service) draft.follow(notes);
    expect(draft.text.value).toBe(text);
  });

  it('keeps what is not saved when somebody else has changed them', async () => {
    const save = jest.fn(() => Promise.resolve());
    const draft = new NotesDraft({ initial: 'X', save, unsaved: memory() });
    draft.change('X!');
    draft.follow('X Y');
    await jest.advanceTimersByTimeAsync(1000);
    expect(save.mock.calls).toEqual([['X!']]);
  });

  it('keeps what was refused and what somebody else wrote meanwhile', async () => {
    const save = jest.fn(() => Promise.reject(Object.assign(new Error('refused'), { status: 403 })));
    const draft = new NotesDraft({ initial: '', save, unsaved: memory() });
    draft.change('mine');
    await jest.advanceTimersByTimeAsync(1000);
    draft.follow('theirs');
    expect(draft.text.value).toBe('theirs\nmine');
  });

  it('begins with what an earlier load of the page could not save', async () => {
    const save = jest.fn(() => Promise.resolve());
    const draft = new NotesDraft({ initial: 'old', save, unsaved: memory('typed') });
    expect(draft.text.value).toBe('typed');
    await jest.advanceTimersByTimeAsync(0);
    expect(save.mock.calls).toEqual([['typed']]);
  });
});
