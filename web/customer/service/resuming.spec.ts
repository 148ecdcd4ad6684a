import { ApiError } from '../../shared/api/api-error';
import type { QueueEntry } from '../state/server.types';
import { entry } from '../state/state.fixtures';
import { startOver } from './rare-entries';
import { attempts, failure, LINK, openPage, settled } from './line-entry.fixtures';

/** A call whose customer will be called back. */
const away = (status: string) => ({
  status: 'queued',
  callback: { status, invited_until: status === 'invited' ? '2026-03-02T12:10:00.000Z' : null },
});

/** A page whose customer will be called back. */
async function calledBack() {
  const page = openPage({ token: 'own' });
  page.api.answers.push(entry(away('requested') as object));
  await page.started();
  expect(page.store.state.value.screen).toBe('callback');
  page.api.requests.length = 0;
  return page;
}

describe('continuing', () => {
  it('shows the form without a token', async () => {
    const page = openPage({});
    await page.started();
    expect(page.store.state.value.screen).toBe('form');
    expect(page.api.requests).toEqual([]);
  });

  it('asks for the call of the token, also when the link is used up', async () => {
    const page = openPage({ token: 'old', link: null });
    page.api.answers.push(failure('network'), entry({ websocket_token: 'new' }));
    await page.started();
    expect(page.api.requests).toEqual([
      ['resume', 'old'],
      ['resume', 'old'],
    ]);
    expect(page.store.state.value.screen).toBe('waiting');
    expect(page.tokens.get()).toBe('new');
  });

  it.each([
    ['asks again for the camera of a call that is back in the line', 'queued', undefined],
    ['starts the camera that was on in the call', 'active', 'call-1'],
  ])('%s', async (_, status, readyFor) => {
    const page = openPage({ token: 'own' });
    page.history.readyFor = 'call-1';
    page.api.answers.push(entry({ status } as object));
    await page.started();
    expect(page.history.readyFor).toBe(readyFor);
  });

  it('forgets a token that is no longer good', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push(failure('token_expired', 401));
    await page.started();
    expect(page.store.state.value).toMatchObject({ screen: 'form', hadPlace: true });
    expect(page.tokens.get()).toBeNull();
  });

  it('leaves the form to a customer who has begun again meanwhile', async () => {
    const page = openPage({ token: 'old' });
    const answers: ((answer: QueueEntry) => void)[] = [];
    page.api.resume = () => new Promise((resolve) => answers.push(resolve));
    await page.started();
    page.entry.stop();
    answers[0]?.(entry());
    await settled();
    expect(page.store.state.value.screen).toBe('form');
  });

  it('prefers the resume link, and falls back to the call of the browser', async () => {
    const page = openPage({ token: 'own', resumeToken: 'of-link' });
    page.api.answers.push(failure('token_expired', 401), entry());
    await page.started();
    expect(page.api.requests).toEqual([
      ['resume', 'of-link'],
      ['resume', 'own'],
    ]);
    expect(page.store.state.value.screen).toBe('waiting');
  });

  it('says so when the resume link no longer works', async () => {
    const page = openPage({ resumeToken: 'of-link' });
    page.api.answers.push(failure('token_expired', 401));
    await page.started();
    expect(page.store.state.value).toEqual({ screen: 'over', why: 'return_link_invalid' });
  });

  it('opens the socket before the rating, whose snapshot says how the call has ended', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push(entry({ status: 'completed' }));
    await page.started();
    expect(page.store.state.value.screen).toBe('rating');
    expect(page.live.isOpen).toBe(true);
  });

  it('leaves no token behind when the call is over', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push(entry({ status: 'abandoned' }));
    await page.started();
    expect(page.store.state.value).toEqual({ screen: 'over', why: 'unknown' });
    expect([page.tokens.get(), page.live.isOpen]).toEqual([null, false]);
  });

  describe('after the service has refused the socket', () => {
    it('does not resume for a customer who is called back, who may be elsewhere', async () => {
      const page = await calledBack();
      page.api.answers.push(failure('network'), away('requested'), away('invited'));
      const shown: (string | undefined)[] = [];
      // Once the invitation is shown, the customer presses the button.
      page.api.status = jest.fn(async () => {
        const { state } = page.store;
        shown.push('call' in state.value ? state.value.call.callback?.status : undefined);
        if (shown.length === 4) page.store.dispatch({ type: 'left' });
        const answer = page.api.answers.shift() ?? away('invited');
        if (answer instanceof Error) throw answer;
        return answer;
      });
      page.live.onRefused();
      await settled();
      expect(shown).toEqual(['requested', 'requested', 'requested', 'invited']);
      expect(page.api.requests).toEqual([]);
      expect(page.store.state.value.screen).toBe('over');
    });

    it.each([
      ['the call has ended', { status: 'abandoned', callback: { status: 'expired', invited_until: null } }],
      ['the customer is back', { status: 'queued', callback: { status: 'returned', invited_until: null } }],
      ['the call is not known any more', failure('not_found', 404)],
    ])('resumes when %s', async (_, answer) => {
      const page = await calledBack();
      page.api.answers.push(answer, entry({ status: 'abandoned' }));
      page.live.onRefused();
      await settled();
      expect(page.api.requests).toEqual([
        ['status', 'call-1'],
        ['resume', expect.any(String)],
      ]);
      expect(page.store.state.value.screen).toBe('over');
    });

    it('resumes a call that waits without a callback', async () => {
      const page = openPage({ token: 'own' });
      page.api.answers.push(entry(), entry({ websocket_token: 'new' }));
      await page.started();
      page.live.onRefused();
      await settled();
      expect(page.api.requests.map(([kind]) => kind)).toEqual(['resume', 'resume']);
      expect(page.tokens.get()).toBe('new');
    });
  });

  describe('when the token of the socket expires soon', () => {
    it('gets another one, and goes on where it was', async () => {
      const page = await calledBack();
      page.api.answers.push(entry({ ...away('requested'), websocket_token: 'new' } as object));
      page.live.onExpiring();
      await settled();
      expect(page.api.requests).toEqual([['resume', expect.any(String)]]);
      expect(page.tokens.get()).toBe('new');
      expect(page.live.opened).toBe(2);
      expect(page.store.state.value.screen).toBe('callback');
    });

    it('does not do so for a customer who is invited, and may be elsewhere', async () => {
      const page = openPage({ token: 'own' });
      const invited = entry(away('invited') as object);
      page.api.answers.push(invited, invited);
      await page.started();
      page.live.onExpiring();
      await settled();
      expect(page.api.requests).toEqual([['resume', 'own']]);
    });
  });

  it('knows that a link which is used up leads nowhere, and asks again after a failure', async () => {
    const page = openPage({ token: 'own' });
    page.api.answers.push(failure('network'), failure('link_used', 404));
    await page.entry.refreshLink();
    expect(page.store.linkEnd.value).toBeNull();
    await page.entry.refreshLink();
    expect(page.store.linkEnd.value).toBe('link_used');
    expect(openPage({ link: null }).store.linkEnd.value).toBe('link_used');
  });

  it('begins again from the link, as it is now', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push({ ...LINK, open: false, opens_at: '2026-03-03T12:00:00.000Z' });
    await startOver(page, attempts());
    expect(page.store.state.value).toEqual({ screen: 'closed', opensAt: '2026-03-03T12:00:00.000Z' });
    expect(page.tokens.get()).toBeNull();
  });

  it('repeats the reading of a link that a busy service has refused, after the time that it asks for', async () => {
    const page = openPage({ link: null });
    const after = new ApiError({ code: 'unavailable', status: 503, detail: '', retry_after: 7 });
    page.api.answers.push(failure('network'), LINK);
    const shown: string[] = [];
    await startOver(page, { ...attempts(({ problem }) => shown.push(problem.code)), after });
    expect(shown).toEqual(['unavailable', 'network']);
    expect(page.pauses[0]).toBeGreaterThanOrEqual(7000);
    expect(page.store.state.value.screen).toBe('form');
    expect(page.api.requests).toEqual([['validate'], ['validate']]);
  });

  it('changes nothing once the customer has stopped', async () => {
    const page = openPage({ link: null });
    const controller = new AbortController();
    await startOver(page, { signal: controller.signal, onRetry: () => controller.abort() });
    expect(page.store.state.value).toMatchObject({ screen: 'problem', problem: { code: 'link_used' } });
    expect(page.api.requests).toEqual([['validate']]);
  });
});
