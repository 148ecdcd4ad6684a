import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fake } from '../../../test/support/fake';
import type { Config } from '../../platform/config/config';
import type { Storage } from '../../platform/storage/storage';
import type { StoredObjectsService } from '../../platform/storage/stored-objects.service';
import { SpoolFolder } from '../spool-folder';
import { PartJoiner } from './part-joiner';

const WEBM = readFileSync(join(__dirname, '../../../test/fixtures/call.webm'));

const steps: string[] = [];
let folder: string;
let joiner: PartJoiner;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'part-joiner-'));
  steps.length = 0;
  const config = fake<Config>({ dataDir: folder, maxRecordingBytes: 2 * WEBM.length });
  const objects = fake<StoredObjectsService>({
    write: async (tenant: string, _kind: string, content: AsyncIterable<Buffer>) => {
      await buffer(content);
      steps.push(`write ${tenant}`);
    },
  });
  const storage = fake<Storage>({
    read: async (key: string) => {
      steps.push(`read ${key}`);
      return Readable.from([WEBM]);
    },
  });
  joiner = new PartJoiner(new SpoolFolder(config), objects, storage, config);
});

afterEach(() => rmSync(folder, { recursive: true }));

function joinPart(tenant_id: string, recording_key?: string, signal?: AbortSignal) {
  async function* content() {
    steps.push(`read ${tenant_id}`);
    yield WEBM;
  }
  return joiner.join({ tenant_id, recording_key, start: 0, content: content(), signal });
}

it('has the files of one recording at a time', async () => {
  await Promise.all(['first', 'second'].map((tenant) => joinPart(tenant)));
  expect(steps).toEqual(['read first', 'write first', 'read second', 'write second']);
  expect(readdirSync(join(folder, 'tmp', 'transcripts'))).toEqual([]);
});

it('reads nothing for a join that was aborted while it waited for its turn', async () => {
  const stop = new AbortController();
  const first = joinPart('first');
  const waiting = joinPart('second', 'recording of the second', stop.signal);
  stop.abort(new Error('Stopped'));
  await expect(waiting).rejects.toThrow('Stopped');
  await first;
  expect(steps).toEqual(['read first', 'write first']);
});
