import { Embedder } from './embedder';
import type { MessageToFrame } from './messages';

const SITE = 'https://shop.example';
const HELLO: MessageToFrame = { type: 'vcq:hello', label: '' };

function frame() {
  const sent: [unknown, string][] = [];
  const received: MessageToFrame[] = [];
  const parent = { postMessage: (message: unknown, origin: string) => void sent.push([message, origin]) };
  let listener: ((event: MessageEvent<unknown>) => void) | undefined;
  const window = {
    parent: parent as unknown as Pick<Window, 'postMessage'>,
    location: { origin: 'https://calls.example' },
    addEventListener: (_type: 'message', added: NonNullable<typeof listener>) => void (listener = added),
  };
  const embedder = new Embedder(window, [SITE], (message) => void received.push(message));
  const deliver = (origin: string, data: unknown = HELLO, source: unknown = parent) =>
    listener?.({ source, origin, data } as MessageEvent<unknown>);
  return { embedder, sent, received, deliver };
}

describe('Embedder', () => {
  it.each([SITE, 'https://calls.example'])('answers the greeting of %s there', (origin) => {
    const { embedder, sent, received, deliver } = frame();
    deliver(origin);
    expect(received).toEqual([HELLO]);
    embedder.send({ type: 'vcq:open' });
    expect(sent).toEqual([[{ type: 'vcq:open' }, origin]]);
  });

  it('sends nothing before the greeting', () => {
    const { embedder, sent } = frame();
    embedder.send({ type: 'vcq:open' });
    expect(sent).toEqual([]);
  });

  it.each<[string, string, unknown, unknown]>([
    ['of another site', 'https://evil.example', HELLO, undefined],
    ['of a site with another port', `${SITE}:8443`, HELLO, undefined],
    ['of another window', SITE, HELLO, {}],
    ['that is none of ours', SITE, { type: 'other' }, undefined],
    ['that is a text', SITE, 'vcq:hello', undefined],
    ['that is empty', SITE, null, undefined],
  ])('ignores a message %s', (_case, origin, data, source) => {
    const { embedder, sent, received, deliver } = frame();
    deliver(origin, data, source);
    embedder.send({ type: 'vcq:open' });
    expect({ sent, received }).toEqual({ sent: [], received: [] });
  });

  it('keeps to the origin that greeted first', () => {
    const { embedder, sent, received, deliver } = frame();
    deliver(SITE);
    deliver('https://calls.example', { type: 'vcq:close' });
    expect(received).toEqual([HELLO]);
    embedder.send({ type: 'vcq:open' });
    expect(sent.map(([, origin]) => origin)).toEqual([SITE]);
  });
});
