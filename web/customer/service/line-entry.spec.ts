import type { QueueEntry } from '../state/server.types';
import { entry } from '../state/state.fixtures';
import { failure, FORM, openPage } from './line-entry.fixtures';

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
    await expect(page.entry.joinForCallback(FORM, 'old@example.com')).rejects.toMatchObject({ status: 0 });
    const callback = { status: 'requested', invited_until: null };
    const joined = entry({ callback } as object);
    page.api.answers.push(failure('idempotency_key_reused'), joined, joined);
    await page.entry.joinForCallback({ ...FORM, name: 'Clara' }, 'new@example.com');
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

  it('from a full line is one attempt each, and keeps the key of one that was not answered', async () => {
    const page = openPage({});
    page.api.answers.push(failure('queue_full'), failure('queue_full'), failure('network'), entry());
    await page.entry.join(FORM);
    await page.entry.joinAgain();
    expect(page.store.state.value.screen).toBe('full');
    await expect(page.entry.joinAgain()).rejects.toMatchObject({ code: 'network' });
    expect(page.store.state.value.screen).toBe('full');
    expect(page.history.draft).toEqual(FORM);
    await page.entry.joinAgain();
    expect(page.store.state.value.screen).toBe('waiting');
    expect(page.history.draft).toBeUndefined();
    expect(page.api.requests.map(([, , key]) => key)).toEqual(['key-1', 'key-2', 'key-3', 'key-3']);
    expect(page.pauses).toEqual([]);
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
