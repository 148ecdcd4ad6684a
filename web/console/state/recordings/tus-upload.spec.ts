import { uploadByTus } from './tus-upload';

const URL_OF_UPLOADS = 'http://service/api/v1/calls/c/recording/tus';
const CONTENT = new Blob(['0123456789'.repeat(1_000_000)]);

/** The service as far as an upload needs it. */
class FakeService {
  stored = 0;
  metadata: string | null = null;
  readonly requests: string[] = [];
  readonly waits: number[] = [];
  /** What the next requests get instead of an answer; null is a lost connection, undefined nothing unusual. */
  failures: (Response | null | undefined | 'answer lost')[] = [];

  readonly options = {
    url: URL_OF_UPLOADS,
    metadata: { filetype: 'video/webm', part: '7' },
    send: (request: Request) => this.handle(request),
    wait: async (ms: number) => void this.waits.push(ms),
  };

  private async handle(request: Request): Promise<Response> {
    this.requests.push(request.method);
    const failure = this.failures.shift();
    if (failure === null) throw new TypeError('Failed to fetch');
    if (failure instanceof Response) return failure;
    const response = await this.answer(request);
    if (failure === 'answer lost') throw new TypeError('Failed to fetch');
    return response;
  }

  private async answer(request: Request): Promise<Response> {
    if (request.method === 'POST') {
      this.stored = 0;
      this.metadata = request.headers.get('upload-metadata');
      return new Response(null, { status: 201, headers: { location: '/api/v1/calls/c/recording/tus/1' } });
    }
    if (request.method === 'PATCH') {
      if (request.headers.get('upload-offset') !== String(this.stored))
        return refusal(409, 'offset_conflict');
      this.stored += (await request.arrayBuffer()).byteLength;
    }
    return new Response(null, { status: 200, headers: { 'upload-offset': String(this.stored) } });
  }
}

const refusal = (status: number, code: string) => Response.json({ errors: { code, detail: '' } }, { status });

describe('uploadByTus', () => {
  let service: FakeService;

  beforeEach(() => (service = new FakeService()));
  afterEach(() => jest.restoreAllMocks());

  it('sends the content in slices, and says what it is', async () => {
    await uploadByTus(CONTENT, service.options);
    expect(service.requests).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH']);
    expect(service.stored).toBe(CONTENT.size);
    expect(service.metadata).toBe(`filetype ${btoa('video/webm')},part ${btoa('7')}`);
  });

  it('goes on where the service has it after a failure', async () => {
    service.failures = [
      null,
      refusal(503, 'unavailable'),
      new Response(null, { status: 201, headers: { location: '/x' } }),
    ];
    service.failures.push('answer lost', refusal(502, 'bad_gateway'), undefined, 'answer lost');
    await uploadByTus(CONTENT, service.options);
    expect(service.stored).toBe(CONTENT.size);
    expect(service.requests).toEqual('POST POST POST PATCH HEAD HEAD PATCH HEAD PATCH'.split(' '));
    // The longest that a wait may be: doubled after each failure in a row, and from the beginning after a stored slice.
    const longest = [1000, 2000, 1000, 2000, 1000];
    expect(service.waits.map((ms, index) => ms > 0 && ms <= Number(longest[index]))).toEqual(
      longest.map(() => true),
    );
  });

  it('goes on with the upload that an earlier page load began', async () => {
    const kept: string[] = [];
    const onLocation = async (location: string) => void kept.push(location);
    service.failures = [undefined, undefined, refusal(403, 'plan_limit')];
    await expect(uploadByTus(CONTENT, { ...service.options, onLocation })).rejects.toMatchObject({
      status: 403,
    });
    await uploadByTus(CONTENT, { ...service.options, location: kept[0], onLocation });
    expect(service.requests).toEqual('POST PATCH PATCH HEAD PATCH PATCH'.split(' '));
    expect([service.stored, kept]).toEqual([CONTENT.size, ['http://service/api/v1/calls/c/recording/tus/1']]);
  });

  it('asks for the offset after a conflict', async () => {
    service.failures = [undefined, refusal(409, 'offset_conflict')];
    await uploadByTus(CONTENT, service.options);
    expect(service.requests).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH', 'PATCH', 'PATCH']);
  });

  it('starts again when the upload expired', async () => {
    service.failures = [undefined, null, refusal(404, 'not_found')];
    await uploadByTus(CONTENT, service.options);
    expect(service.requests).toEqual(['POST', 'PATCH', 'HEAD', 'POST', 'PATCH', 'PATCH', 'PATCH']);
  });

  it('gives up at once when a repetition changes nothing', async () => {
    service.failures = [refusal(403, 'plan_limit')];
    await expect(uploadByTus(CONTENT, service.options)).rejects.toMatchObject({ code: 'plan_limit' });
    expect(service.waits).toEqual([]);
  });

  it('gives up after about two minutes without the service', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    service.failures = Array.from({ length: 20 }, () => null);
    await expect(uploadByTus(CONTENT, service.options)).rejects.toMatchObject({ code: 'network' });
    const seconds = service.waits.reduce((sum, ms) => sum + ms, 0) / 1000;
    expect(seconds).toBeGreaterThan(110);
    expect(seconds).toBeLessThan(140);
  });
});
