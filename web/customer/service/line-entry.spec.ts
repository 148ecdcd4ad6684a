import type { LinkValidation, QueueEntry } from '../state/server.types';
import { entry } from '../state/state.fixtures';
import { joinForCallback } from './rare-entries';
import { attempts, failure, FORM, LINK, openPage, settled } from './line-entry.fixtures';

/** Attempts of a customer who stops them. */
function stoppable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('joining', () => {
  it('repeats the same join until it is answered, with one key', async () => {
    const page = openPage({});
    page.api.answers.push(failure('network'), failure('unavailable', 503), entry({ websocket_token: 'new' }));
    await page.entry.join(FORM);
    expect(page.api.requests).toEqual([1, 2, 3].map(() => ['join', 'Maria', 'key-1']));
    expect(page.store.state.value.screen).toBe('waiting');
    expect(page.tokens.get()).toBe('new');
    expect(page.live.isOpen).toBe(true);
    expect(page.history.keys).toBe(2);
  });

  it('takes another key for another form: a reload may have changed the words', async () => {
    const page = openPage({});
    page.api.answers.push(failure('idempotency_key_reused'), entry());
    await page.entry.join(FORM);
    expect(page.api.requests.map(([, , key]) => key)).toEqual(['key-1', 'key-2']);
    expect(page.store.state.value.screen).toBe('waiting');
  });

  it('does not join twice if the answer was lost and the form is corrected', async () => {
    const page = openPage({});
    page.api.answers.push(failure('network'));
    const { signal, abort } = stoppable();
    await joinForCallback(page, FORM, 'old@example.com', { signal, onRetry: abort });
    expect(page.store.state.value.screen).toBe('form');
    const callback = { status: 'requested', invited_until: null };
    const joined = entry({ callback } as object);
    page.api.answers.push(failure('idempotency_key_reused'), joined, joined);
    await joinForCallback(page, { ...FORM, name: 'Clara' }, 'new@example.com', attempts());
    expect(page.api.requests).toEqual([
      ['join', 'Maria', 'key-1', 'old@example.com'],
      ['join', 'Clara', 'key-1', 'new@example.com'],
      ['join', 'Maria', 'key-1', 'old@example.com'],
      ['requestCallback', joined.call_id, 'new@example.com'],
    ]);
    expect(page.store.state.value).toMatchObject({ screen: 'callback', call: { email: 'new@example.com' } });
    expect(page.history.sentJoin).toBeUndefined();
  });

  it('shows a refusal at the form, and takes another key for the next join', async () => {
    const page = openPage({});
    page.api.answers.push(failure('validation_failed'));
    await page.entry.join(FORM);
    expect(page.store.state.value).toMatchObject({ screen: 'form', problem: { code: 'validation_failed' } });
    expect(page.history.keys).toBe(2);
    expect(page.entry.form).toEqual(FORM);
  });

  it('from a full line repeats the same join until it is answered, and says when', async () => {
    const page = openPage({});
    page.api.answers.push(failure('queue_full'), failure('queue_full'));
    await page.entry.join(FORM);
    await page.entry.joinAgain(attempts());
    expect(page.store.state.value.screen).toBe('full');
    expect(page.pauses).toEqual([]);
    page.api.answers.push(failure('network'), failure('unavailable', 503), entry());
    const shown: string[] = [];
    await page.entry.joinAgain(
      attempts(({ problem }) => shown.push(`${page.store.state.value.screen} ${problem.code}`)),
    );
    expect(shown).toEqual(['full network', 'full unavailable']);
    expect(page.store.state.value.screen).toBe('waiting');
    expect(page.history.draft).toBeUndefined();
    expect(page.api.requests.map(([, , key]) => key)).toEqual(['key-1', 'key-2', 'key-3', 'key-3', 'key-3']);
  });

  it('repeats the join of a closed department for its callback, too, and shows what was refused there', async () => {
    const page = openPage({ link: { ...LINK, open: false } });
    page.api.answers.push(failure('unavailable', 503), failure('validation_failed'));
    const shown: string[] = [];
    const joining = joinForCallback(
      page,
      FORM,
      'a@example.com',
      attempts(({ problem }) => shown.push(problem.code)),
    );
    await expect(joining).rejects.toMatchObject({ code: 'validation_failed' });
    expect(shown).toEqual(['unavailable']);
    expect(page.api.requests).toEqual([1, 2].map(() => ['join', 'Maria', 'key-1', 'a@example.com']));
    expect(page.store.state.value.screen).toBe('closed');
  });

  it('keeps the screen that repeats a join, although the department has room by now', async () => {
    const page = openPage({});
    page.api.answers.push(failure('queue_full'));
    await page.entry.join(FORM);
    page.api.validate = async () => LINK as LinkValidation;
    page.api.answers.push(failure('unavailable', 503), entry());
    const shown: string[] = [];
    const look = async () => {
      await page.entry.refreshLink();
      shown.push(page.store.state.value.screen);
    };
    page.api.join = jest.fn(page.api.join).mockImplementationOnce(async () => {
      await look();
      throw failure('unavailable', 503);
    });
    await page.entry.joinAgain(attempts());
    expect(shown).toEqual(['full']);
    expect(page.store.state.value.screen).toBe('waiting');
    page.store.dispatch({ type: 'join_refused', problem: failure('queue_full') });
    await look();
    expect(shown).toEqual(['full', 'form']);
  });

  it('gives a place back that a stopped attempt gets, unless a newer attempt has the same place', async () => {
    const page = openPage({});
    const waiting: ((entry: QueueEntry) => void)[] = [];
    page.api.join = () => new Promise((resolve) => waiting.push(resolve));
    const [first, second, third] = [stoppable(), stoppable(), stoppable()];
    void page.entry.joinAgain(first);
    first.abort();
    void page.entry.joinAgain(second);
    waiting[0]?.(entry());
    await settled();
    expect(page.api.requests).toEqual([]);
    waiting[1]?.(entry());
    await settled();
    expect(page.store.state.value.screen).toBe('waiting');
    void joinForCallback(page, FORM, 'a@example.com', third);
    third.abort();
    page.api.answers.push({});
    waiting[2]?.(entry({ call_id: 'call-7' }));
    await settled();
    expect(page.api.requests).toEqual([['leave', 'call-7']]);
  });

  it('leaves the line again if the customer has stopped meanwhile', async () => {
    const page = openPage({});
    const waiting: ((entry: QueueEntry) => void)[] = [];
    page.api.join = () => new Promise((resolve) => waiting.push(resolve));
    const joining = page.entry.join(FORM);
    page.entry.stop();
    expect(page.store.state.value.screen).toBe('form');
    page.api.answers.push({});
    waiting[0]?.(entry({ call_id: 'call-7' }));
    await joining;
    expect(page.api.requests).toEqual([['leave', 'call-7']]);
    expect(page.store.state.value.screen).toBe('form');
    expect(page.tokens.get()).toBeNull();
  });
});
