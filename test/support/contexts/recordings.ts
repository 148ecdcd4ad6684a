import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Json } from '../http/api';
import { expectStatus, type Member } from '../builders';
import { upload } from '../http/multipart';
import type { TestApp } from '../test-app';

/** A recording as a browser makes it. */
export const fixture = (name: 'call.webm' | 'call-audio.webm' | 'call.mp4'): Buffer =>
  readFileSync(join(__dirname, '..', '..', 'fixtures', name));

/** The same as nobody has sent it before: an EBML element that players skip tells it from others. */
export const newRecording = (): Buffer =>
  Buffer.concat([fixture('call.webm'), Buffer.from([0xec, 0x88]), randomBytes(8)]);

export const uploadRecording = (
  test: TestApp,
  callId: string,
  { token }: Pick<Member, 'token'>,
  content = newRecording(),
): Promise<Answer> =>
  upload(test, `/api/v1/calls/${callId}/recording/upload`, [['file', content, 'call.webm']], { token });

/** Uploads it and gives its record. */
export async function recorded(
  test: TestApp,
  callId: string,
  who: Pick<Member, 'token'>,
  content?: Buffer,
): Promise<Json> {
  const answer = await uploadRecording(test, callId, who, content);
  expectStatus(answer, 201);
  return answer.body.data;
}

export async function recordingRows({ db }: TestApp, callId: string): Promise<Json[]> {
  return (await db.query('SELECT * FROM recordings WHERE call_id = $1 ORDER BY inserted_at', [callId])).rows;
}
