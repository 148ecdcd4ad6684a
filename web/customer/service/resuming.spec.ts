import { entry } from '../state/state.fixtures';
import { failure, LINK, openPage } from './line-entry.fixtures';

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

  it('forgets a token that is no longer good', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push(failure('token_expired', 401));
    await page.started();
    expect(page.store.state.value).toMatchObject({ screen: 'form', hadPlace: true });
    expect(page.tokens.get()).toBeNull();
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

  it('begins again from the link, as it is now', async () => {
    const page = openPage({ token: 'old' });
    page.api.answers.push({ ...LINK, open: false, opens_at: '2026-03-03T12:00:00.000Z' });
    await page.entry.startOver();
    expect(page.store.state.value).toEqual({ screen: 'closed', opensAt: '2026-03-03T12:00:00.000Z' });
    expect(page.tokens.get()).toBeNull();
  });
});
