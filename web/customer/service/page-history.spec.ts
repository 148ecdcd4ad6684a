import { PageHistory } from './page-history';

/** The history and the address of one tab; `reload` keeps both. */
class FakeTab {
  state: unknown = null;
  href: URL;

  constructor(address: string) {
    this.href = new URL(address, 'https://calls.example.com');
  }

  replaceState = (state: unknown, _title: string, address?: string | URL | null) => {
    this.state = structuredClone(state);
    if (address) this.href = new URL(address, this.href);
  };

  page(): PageHistory {
    return new PageHistory(this, this.href);
  }
}

describe('PageHistory', () => {
  it('has one key for a join until it is answered, also after a reload', () => {
    const tab = new FakeTab('/c/abc');
    const key = tab.page().joinKey();
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(tab.page().joinKey()).toBe(key);
    tab.page().forgetJoinKey();
    expect(tab.page().joinKey()).not.toBe(key);
  });

  it('keeps what was typed over a reload, beside the key', () => {
    const tab = new FakeTab('/c/abc');
    const key = tab.page().joinKey();
    const draft = { name: 'Zoë', email: null, phone: null, reason: 'My card' };
    tab.page().keepDraft(draft);
    expect(tab.page().draft).toEqual(draft);
    tab.page().keepDraft(undefined);
    expect(tab.page().draft).toBeUndefined();
    expect(tab.page().joinKey()).toBe(key);
  });

  it('keeps what was measured of the network, and what is on, for the one call', () => {
    const tab = new FakeTab('/c/abc');
    expect(tab.page().networkOf('call-1')).toBeUndefined();
    tab.page().keepNetwork('call-1', { network: 'good', relay: true });
    expect(tab.page().networkOf('call-1')).toEqual({ network: 'good', relay: true });
    expect(tab.page().networkOf('call-2')).toBeUndefined();
    tab.page().keepDevices('call-1', { microphone: true, camera: false });
    expect(tab.page().devicesOf('call-1')).toMatchObject({ microphone: true, camera: false });
    expect(tab.page().devicesOf('call-2')).toBeUndefined();
    tab.page().keepReady('call-1');
    expect([tab.page().isReadyFor('call-1'), tab.page().isReadyFor('call-2')]).toEqual([true, false]);
    const opensAt = '2026-03-03T09:00:00.000Z';
    tab.page().keepOpening('call-1', opensAt);
    expect([tab.page().openingOf('call-1'), tab.page().openingOf('call-2')]).toEqual([opensAt, null]);
    tab.page().lastRead = 'message-1';
    expect(tab.page().lastRead).toBe('message-1');
    tab.page().forget();
    expect(JSON.stringify(tab.state)).toBe('{}');
  });

  it('takes the token of a resume link out of the address', () => {
    const tab = new FakeTab('/c/abc?lang=es#resume=secret');
    expect(tab.page().takeResumeToken()).toBe('secret');
    expect(tab.href.href).toBe('https://calls.example.com/c/abc?lang=es');
    expect(tab.page().takeResumeToken()).toBeNull();
  });

  it.each(['/c/abc', '/c/abc#resume=', '/c/abc#top'])('finds no token in %s', (address) => {
    expect(new FakeTab(address).page().takeResumeToken()).toBeNull();
  });

  it('keeps the language in the address, and the key', () => {
    const tab = new FakeTab('/c/abc');
    const key = tab.page().joinKey();
    tab.page().setLanguage('es');
    expect(tab.href.search).toBe('?lang=es');
    expect(tab.page().joinKey()).toBe(key);
  });

  it('says in the address that the customer is in the line', () => {
    const tab = new FakeTab('/c/abc?lang=es');
    tab.page().setInLine(true);
    expect(tab.href.search).toBe('?lang=es&resume=1');
    tab.page().setInLine(false);
    expect(tab.href.search).toBe('?lang=es');
  });

  it('leaves a resume link whole that is to be opened in another browser', () => {
    const tab = new FakeTab('/c/abc#resume=secret');
    tab.page().setLanguage('es');
    tab.page().setInLine(true);
    expect(tab.href.hash).toBe('#resume=secret');
  });

  it('reloads once for a deployment, and again after the build was loaded', () => {
    const tab = new FakeTab('/c/abc');
    expect(tab.page().mayReload()).toBe(true);
    expect(tab.page().mayReload()).toBe(false);
    tab.page().forgetReload();
    expect(tab.page().mayReload()).toBe(true);
  });
});
