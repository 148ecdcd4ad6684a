import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Json } from '../http/api';
import { expectStatus, type Member } from '../builders';
import { upload } from '../http/multipart';
import type { TestApp } from '../test-app';

/** Reads a recording as browsers create it. */
export const readFixture = (name: 'call.webm' | 'call-audio.webm' | 'call.mp4'): Buffer =>
  readFileSync(join(__dirname, '..', '..', 'fixtures', name));

/** A recording with unique content: it ends with a random EBML element that players skip. */
export const newRecording = (): Buffer =>
  Buffer.concat([readFixture('call.webm'), Buffer.from([0xec, 0x88]), randomBytes(8)]);

/** Uploads a recording to a call. */
export const uploadRecording = (
  test: TestApp,
  callId: string,
  { token }: Pick<Member, 'token'>,
  content = newRecording(),
): Promise<Answer> =>
  upload(test, `/api/v1/calls/${callId}/recording/upload`, [['file', content, 'call.webm']], { token });

/** Uploads a recording. @returns the response data. @throws Error unless the upload succeeds */
export async function createRecording(
  test: TestApp,
  callId: string,
  member: Pick<Member, 'token'>,
  content?: Buffer,
): Promise<Json> {
  const answer = await uploadRecording(test, callId, member, content);
  expectStatus(answer, 201);
  return answer.body.data;
}

/** The recording rows of a call, oldest first. */
export async function recordingRows({ db }: TestApp, callId: string): Promise<Json[]> {
  return (await db.query('SELECT * FROM recordings WHERE call_id = $1 ORDER BY inserted_at', [callId])).rows;
}
