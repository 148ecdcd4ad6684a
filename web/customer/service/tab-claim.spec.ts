import { type TabChannel, TabClaim } from './tab-claim';

/** The tabs of one browser, whose messages arrive at once. */
class FakeBrowser {
  private readonly tabs: { listener: (event: { data: never }) => void; claim?: TabClaim }[] = [];
  private readonly held: (() => void)[] = [];
  private asleep: TabClaim | undefined;

  open(session: string, { isVisible = true } = {}): TabClaim {
    const tab: (typeof this.tabs)[number] = { listener: () => {} };
    this.tabs.push(tab);
    const channel: TabChannel = {
      postMessage: (data) => {
        for (const other of this.tabs) {
          const receive = () => other.listener({ data: data as never });
          if (other === tab) continue;
          if (other.claim === this.asleep && this.asleep) this.held.push(receive);
          else receive();
        }
      },
      addEventListener: (_type, listener) => (tab.listener = listener),
    };
    return (tab.claim = new TabClaim(session, channel, () => isVisible));
  }

  /** As to a tab in the background that the browser has suspended. */
  holdMessagesTo(tab: TabClaim): void {
    this.asleep = tab;
  }

  deliver(): void {
    this.asleep = undefined;
    for (const receive of this.held.splice(0)) receive();
  }
}

const decide = () => jest.advanceTimersByTime(1000);

describe('TabClaim', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives the call to the only tab', () => {
    const tab = new FakeBrowser().open('a');
    tab.ask();
    expect(tab.claim.value).toBe('asking');
    decide();
    expect(tab.claim.value).toBe('mine');
  });

  it('leaves the call in the tab that holds it', () => {
    const browser = new FakeBrowser();
    const first = browser.open('b');
    first.ask();
    decide();
    const second = browser.open('a');
    second.ask();
    decide();
    expect([first.claim.value, second.claim.value]).toEqual(['mine', 'other']);
  });

  it.each([
    ['the visible one', { isVisible: false }, { isVisible: true }, ['other', 'mine']],
    ['the same one in both', { isVisible: true }, { isVisible: true }, ['mine', 'other']],
  ])('of two that are called at the same time: %s', (_name, one, two, expected) => {
    const browser = new FakeBrowser();
    const tabs = [browser.open('a', one), browser.open('b', two)];
    for (const tab of tabs) tab.ask();
    decide();
    expect(tabs.map(({ claim }) => claim.value)).toEqual(expected);
  });

  it('moves the call when the customer wants it here', () => {
    const browser = new FakeBrowser();
    const [first, second] = [browser.open('a'), browser.open('b')];
    first.ask();
    decide();
    second.ask();
    second.take();
    decide();
    expect([first.claim.value, second.claim.value]).toEqual(['other', 'mine']);
  });

  it('keeps the call that another tab claims too late', () => {
    const browser = new FakeBrowser();
    const asleep = browser.open('a');
    asleep.ask();
    decide();
    browser.holdMessagesTo(asleep);
    const awake = browser.open('b');
    awake.ask();
    decide();
    expect(awake.claim.value).toBe('mine');
    browser.deliver();
    expect(awake.claim.value).toBe('mine');
  });

  it('says nothing in a tab without a call', () => {
    const browser = new FakeBrowser();
    const waiting = browser.open('a');
    const called = browser.open('b');
    called.ask();
    decide();
    expect([waiting.claim.value, called.claim.value]).toEqual(['none', 'mine']);
    called.release();
    expect(called.claim.value).toBe('none');
  });

  it('does not wait where the browser has no channel', () => {
    const tab = new TabClaim('a', undefined, () => true);
    tab.ask();
    expect(tab.claim.value).toBe('mine');
    tab.lose();
    expect(tab.claim.value).toBe('other');
  });
});
