import { Clock } from '../../platform/clock/clock';
import { clientSignal, requestContext } from '../../platform/logging/request-context';
import { PictureCache } from './picture-cache';

it('goes on reading a picture for others when the client that asked first has left', async () => {
  const leaving = new AbortController();
  const content = Buffer.from('picture');
  const started = Promise.withResolvers<void>();
  const cache = new PictureCache(new Clock(), async () => {
    const signal = clientSignal();
    started.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    return content;
  });
  const address = { tenantId: 't', ownerId: 'o', hash: 'h' };
  const context = { request_id: 'r', address: null, signal: leaving.signal };
  const first = requestContext.run(context, () => cache.find(address));
  const second = cache.find(address);
  await started.promise;
  leaving.abort();
  expect(await Promise.all([first, second])).toEqual([content, content]);
});
