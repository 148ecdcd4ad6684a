import { beginWrapUp, openSocketOf } from '../support/contexts/agents';
import sharp from 'sharp';
import type { Api, Json } from '../support/http/api';
import { codeOf } from '../support/contexts/mfa';
import { SmtpPeer } from '../support/peers/smtp-peer';
import { readDocument } from '../support/http/openapi-file';
import { newRecording } from '../support/contexts/recordings';
import { insertTranscriptResults } from '../support/database/transcript-results';
import { startTestApp, type TestApp } from '../support/test-app';
import { beginUpload, TEXTUAL_RECORDING, WHOLE_UPLOAD_HEADERS } from '../support/contexts/tus';
import { insertFailedDelivery, UNREACHABLE_URL } from '../support/contexts/webhooks';

const document = readDocument();

/** Calls every operation once. The API client compares each response with openapi.json. */
describe('responses', () => {
  let test: TestApp;
  const checked = new Set<string>();

  let mail: SmtpPeer;

  beforeAll(async () => {
    mail = await SmtpPeer.start();
    test = await startTestApp({
      env: { ASAAS_WEBHOOK_TOKEN: 'a token of the gateway', SMTP_URL: mail.url() },
    });
  });

  afterAll(async () => {
    await test.close();
    await mail.stop();
  });

  /** Sends a request that must succeed. @returns the `data` of the response */
  async function call(
    api: Api,
    operation: string,
    ids: string[] = [],
    body?: Json,
    headers?: Json,
    query: Record<string, string> = {},
  ): Promise<Json> {
    const [method = '', template = ''] = operation.split(' ');
    let next = 0;
    const search = new URLSearchParams(query).toString();
    const path = template.replaceAll(/\{\w+\}/g, () => ids[next++] ?? '') + (search && `?${search}`);
    const answer = await api.send(method, path, { body, headers });
    expect([operation, answer.status < 300]).toEqual([operation, true]);
    checked.add(operation);
    return answer.body.data ?? answer.body;
  }

  it('match openapi.json for every operation', async () => {
    const exampleOf = (name: string) => exampleBody(document.components.schemas[name]);
    const { api } = test;
    await call(api, 'POST /api/signup/validate-document', [], exampleOf('ValidateDocumentDto'));
    const { tenant, user } = await call(api, 'POST /api/signup/register', [], {
      ...exampleOf('RegisterDto'),
      plan: 'advanced',
    });
    await call(
      api,
      'POST /api/webhooks/{gateway}',
      ['asaas'],
      { id: 'evt_1&2', event: 'PAYMENT_CONFIRMED', payment: { id: 'pay_1', externalReference: tenant.id } },
      { 'asaas-access-token': 'a token of the gateway' },
    );
    const account = {
      tenant: tenant.slug,
      email: user.email,
      password: exampleOf('RegisterDto').admin_password,
    };
    const { access_token, refresh_token } = await call(api, 'POST /api/auth/login', [], account);
    await call(api, 'POST /api/auth/refresh', [], { refresh_token });
    const owner = api.as(access_token);

    const me = await call(owner, 'GET /api/v1/users/me');
    await call(owner, 'PUT /api/v1/users/me', [], { phone: null });
    const department = await call(owner, 'POST /api/v1/departments', [], {
      department: exampleOf('CreateDepartmentDto'),
    });
    const { id } = department;
    await call(owner, 'GET /api/v1/departments/{id}/hours', [id]);
    await call(owner, 'PUT /api/v1/departments/{id}', [id], { opening_hours: null });
    await call(owner, 'PUT /api/v1/departments/{id}', [id], { department: { description: null } });
    await call(owner, 'GET /api/v1/departments/{id}', [id]);
    await call(owner, 'GET /api/v1/departments');
    await call(owner, 'POST /api/v1/departments/{department_id}/users', [id], { user_id: me.id });
    await call(owner, 'GET /api/v1/departments/{department_id}/users', [id]);
    await call(owner, 'DELETE /api/v1/departments/{department_id}/users/{user_id}', [id, me.id]);

    await call(owner, 'PUT /api/v1/tenant', [], { tenant: { service_level_seconds: 30 } });
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)]), 'logo.png');
    const { logo_url } = await call(owner, 'POST /api/v1/tenant/logo', [], form);
    await call(api, 'GET /api/v1/logos/{tenant_id}/{file}', logo_url.split('/').slice(-2));
    await call(owner, 'DELETE /api/v1/tenant/logo');
    await call(owner, 'GET /api/v1/tenant');
    await call(owner, 'GET /api/v1/billing/plan');

    const newcomer = { ...exampleOf('CreateUserDto'), email: 'bia@example.com', department_ids: [id] };
    const colleague = await call(owner, 'POST /api/v1/users', [], newcomer);
    await call(owner, 'PUT /api/v1/users/{id}', [colleague.id], { phone: null });
    await call(owner, 'GET /api/v1/users/{id}', [colleague.id]);
    const photo = new FormData();
    photo.append('file', new Blob([new Uint8Array(picture)]), 'photo.png');
    const { avatar_url } = await call(owner, 'PUT /api/v1/users/{id}/avatar', [colleague.id], photo);
    const place = avatar_url.split('/').slice(-3);
    await call(api, 'GET /api/v1/avatars/{tenant_id}/{user_id}/{file}', place);
    await call(owner, 'DELETE /api/v1/users/{id}/avatar', [colleague.id]);
    await call(owner, 'DELETE /api/v1/users/{id}/mfa', [colleague.id]);
    const invited = await call(owner, 'POST /api/v1/users', [], {
      ...newcomer,
      email: 'caio@example.com',
      password: null,
    });
    await call(owner, 'POST /api/v1/users/{id}/invitation', [invited.id]);
    await call(owner, 'POST /api/v1/users/batch', [], {
      users: [{ name: 'Davi', email: 'davi@example.com', role: 'attendant' }],
    });
    await call(owner, 'GET /api/v1/users');

    const skill = await call(owner, 'POST /api/v1/skills', [], { skill: exampleOf('CreateSkillDto') });
    await call(owner, 'PUT /api/v1/skills/{id}', [skill.id], { skill: { description: null } });
    await call(owner, 'GET /api/v1/skills/{id}', [skill.id]);
    await call(owner, 'GET /api/v1/skills');
    const levels = { skills: [{ ...exampleOf('SkillLevelDto'), skill_id: skill.id }] };
    await call(owner, 'PUT /api/v1/users/{id}/skills', [colleague.id], levels);
    await call(owner, 'GET /api/v1/agents');
    await call(owner, 'PUT /api/v1/users/{id}/state', [colleague.id], { state: 'available' });
    const unused = await call(owner, 'POST /api/v1/skills', [], { name: 'Unused' });
    await call(owner, 'DELETE /api/v1/skills/{id}', [unused.id]);

    const skills = [{ ...exampleOf('RequiredSkillInputDto'), skill_id: skill.id, min_level: 5 }];
    const link = await call(owner, 'POST /api/v1/access-links', [], {
      ...exampleOf('CreateAccessLinkDto'),
      customer_id: null,
      department_id: id,
    });
    await call(owner, 'GET /api/v1/access-links/{id}', [link.id]);
    const [letter] = await call(owner, 'POST /api/v1/access-links/batch', [], {
      links: [{ department_id: id, skills }],
    });
    await call(owner, 'GET /api/v1/access-links/{id}/qr.svg', [letter.id]);
    await call(owner, 'POST /api/v1/access-links/{id}/cancel', [letter.id]);
    await call(owner, 'GET /api/v1/access-links');

    const slots = ['12', '13', '14'].map((hour) => ({
      user_id: me.id,
      department_id: id,
      customer_id: null,
      starts_at: `2031-01-31T${hour}:00:00.000Z`,
      ends_at: `2031-01-31T${hour}:30:00.000Z`,
    }));
    const [kept, missed, dropped] = await Promise.all(
      slots.map((slot) =>
        call(owner, 'POST /api/v1/appointments', [], { ...exampleOf('CreateAppointmentDto'), ...slot }),
      ),
    );
    await call(owner, 'POST /api/v1/appointments/{id}/confirm', [kept.id]);
    await call(owner, 'PUT /api/v1/appointments/{id}', [kept.id], { appointment: { notes: null } });
    await call(owner, 'GET /api/v1/appointments/{id}', [kept.id]);
    await call(owner, 'GET /api/v1/appointments');
    await call(owner, 'GET /api/v1/appointments/conflicts', [], undefined, undefined, {
      user_id: me.id,
      starts_at: kept.starts_at,
      ends_at: kept.ends_at,
    });
    await call(owner, 'POST /api/v1/appointments/{id}/complete', [kept.id]);
    await call(owner, 'POST /api/v1/appointments/{id}/no-show', [missed.id]);
    await call(owner, 'POST /api/v1/appointments/{id}/cancel', [dropped.id]);

    const customers = [];
    for (const phone of ['1', '(11) 3333-4444', '(11) 3333-4444']) {
      const body = { customer: { ...exampleOf('CreateCustomerDto'), phone } };
      customers.push((await call(owner, 'POST /api/v1/customers', [], body)).id);
    }
    await call(owner, 'PUT /api/v1/customers/{id}', [customers[0]], { customer: { notes: null } });
    await call(owner, 'GET /api/v1/customers/{id}', [customers[0]]);
    await call(owner, 'GET /api/v1/customers');
    await call(owner, 'GET /api/v1/customers/duplicates');
    const merged = { primary_id: customers[0], duplicate_ids: [customers[1]] };
    await call(owner, 'POST /api/v1/customers/merge', [], merged);
    await call(owner, 'DELETE /api/v1/customers/{id}', [customers[2]]);

    await call(api, 'GET /api/v1/call/{token}/validate', [link.token]);
    await call(api, 'GET /api/v1/call/turn-credentials');
    const leaver = await call(api, 'POST /api/v1/call/{token}/join', [link.token], exampleOf('JoinDto'));
    await call(api.as(leaver.websocket_token), 'POST /api/v1/call/cancel/{call_id}', [leaver.call_id]);
    const entry = await call(api, 'POST /api/v1/call/{token}/join', [link.token], exampleOf('JoinDto'));
    await call(api, 'POST /api/v1/call/resume', [], { websocket_token: entry.websocket_token });
    await call(api, 'GET /api/v1/call/status/{call_id}', [entry.call_id]);
    const customer = api.as(entry.websocket_token);
    const callback = exampleOf('RequestCallbackDto');
    await call(customer, 'POST /api/v1/call/callback/{call_id}', [entry.call_id], callback);
    await call(customer, 'DELETE /api/v1/call/callback/{call_id}', [entry.call_id]);

    await call(owner, 'PUT /api/v1/calls/{id}', [entry.call_id], { call: exampleOf('UpdateCallDto') });
    await call(owner, 'POST /api/v1/calls/{id}/assign', [entry.call_id]);
    await call(owner, 'POST /api/v1/calls/{id}/start', [entry.call_id]);
    const sent = new FormData();
    sent.append('file', new Blob([new Uint8Array(picture)]), 'photo.png');
    await call(customer, 'POST /api/v1/call/files/{call_id}', [entry.call_id], sent);
    await call(owner, 'POST /api/v1/calls/{id}/complete', [entry.call_id], exampleOf('CompleteCallDto'));
    await call(api, 'POST /api/v1/call/evaluate/{call_id}', [entry.call_id], exampleOf('EvaluateDto'));
    for (const about of ['parts', 'timeline', 'routing', 'chat'])
      await call(owner, `GET /api/v1/calls/{id}/${about}`, [entry.call_id]);
    const automatic = { name: 'Automatic', routing: 'automatic' };
    const line = await call(owner, 'POST /api/v1/departments', [], automatic);
    const lineLink = await call(owner, 'POST /api/v1/access-links', [], { department_id: line.id });
    await beginWrapUp(test, me.id);
    await call(owner, 'POST /api/v1/users/me/wrap-up/extend', [], { seconds: 30 });
    await call(owner, 'POST /api/v1/users/me/wrap-up/finish');
    await call(owner, 'PUT /api/v1/users/{id}/state', [me.id], { state: 'available' });
    await openSocketOf(test, tenant.id, me.id);
    for (const answered of ['decline', 'accept']) {
      const { call_id, websocket_token } = await call(
        api,
        'POST /api/v1/call/{token}/join',
        [lineLink.token],
        exampleOf('JoinDto'),
      );
      const offer = await call(owner, 'POST /api/v1/calls/{id}/offer', [call_id], { user_id: me.id });
      await call(owner, 'GET /api/v1/offers');
      const body = answered === 'decline' ? {} : undefined;
      await call(owner, `POST /api/v1/offers/{id}/${answered}`, [offer.id], body);
      if (answered === 'accept') {
        await call(owner, 'GET /api/v1/calls/{id}/transfer/departments', [call_id]);
        await call(owner, 'POST /api/v1/calls/{id}/transfer', [call_id], { department_id: id });
      }
      await call(api.as(websocket_token), 'POST /api/v1/call/cancel/{call_id}', [call_id]);
    }
    const tag = await call(owner, 'POST /api/v1/tags', [], { tag: exampleOf('CreateTagDto') });
    const below = { name: 'Refunds', parent_id: tag.id };
    await call(owner, 'PUT /api/v1/tags/{id}', [(await call(owner, 'POST /api/v1/tags', [], below)).id], {
      description: null,
    });
    await call(owner, 'GET /api/v1/tags/{id}', [tag.id]);
    await call(owner, 'GET /api/v1/tags');
    await call(owner, 'GET /api/v1/tags/tree');
    const reply = await call(owner, 'POST /api/v1/canned-replies', [], {
      canned_reply: exampleOf('CreateCannedReplyDto'),
    });
    await call(owner, 'PUT /api/v1/canned-replies/{id}', [reply.id], { canned_reply: { shortcut: null } });
    await call(owner, 'GET /api/v1/canned-replies/{id}', [reply.id]);
    await call(owner, 'GET /api/v1/canned-replies');
    await call(owner, 'DELETE /api/v1/canned-replies/{id}', [reply.id]);
    await call(owner, 'POST /api/v1/calls/{call_id}/tags', [entry.call_id], { tag_id: tag.id });
    await call(owner, 'GET /api/v1/calls/{call_id}/tags', [entry.call_id]);
    const note = exampleOf('AddManagerNoteDto');
    await call(owner, 'POST /api/v1/calls/{id}/manager-notes', [entry.call_id], note);
    const attached = new FormData();
    attached.append('file', new Blob(['a file']), 'note.txt');
    const file = await call(owner, 'POST /api/v1/calls/{call_id}/upload', [entry.call_id], attached);
    await call(owner, 'GET /api/v1/calls/{call_id}/files', [entry.call_id]);
    await call(owner, 'GET /api/v1/calls/{call_id}/files/{id}', [entry.call_id, file.id]);
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': String(TEXTUAL_RECORDING.length) };
    await call(owner, 'POST /api/v1/calls/{call_id}/recording/tus', [entry.call_id], undefined, tus);
    const [one, another] = [await beginUpload(owner, entry.call_id), await beginUpload(owner, entry.call_id)];
    for (const [operation, upload, body] of [
      ['HEAD', one, undefined],
      ['PATCH', one, TEXTUAL_RECORDING],
      ['DELETE', another, undefined],
    ] as const) {
      const path = `${operation} /api/v1/calls/{call_id}/recording/tus/{upload_id}`;
      await call(owner, path, [entry.call_id, upload], body, WHOLE_UPLOAD_HEADERS);
    }
    await call(
      owner,
      'POST /api/v1/calls/{call_id}/recording/tus/{upload_id}',
      [entry.call_id, await beginUpload(owner, entry.call_id)],
      undefined,
      { ...WHOLE_UPLOAD_HEADERS, 'x-http-method-override': 'DELETE' },
    );
    const recording = new FormData();
    recording.append('file', new Blob([new Uint8Array(newRecording())]), 'call.webm');
    await call(owner, 'POST /api/v1/calls/{call_id}/recording/upload', [entry.call_id], recording);
    await call(owner, 'GET /api/v1/calls/{call_id}/recording', [entry.call_id]);
    const { url } = await call(owner, 'POST /api/v1/calls/{call_id}/recording/ticket', [entry.call_id]);
    await insertTranscriptResults(test.db, entry.call_id, 'ready');
    await call(owner, 'GET /api/v1/calls/{call_id}/transcript', [entry.call_id]);
    await call(owner, 'GET /api/v1/calls/{call_id}/summary', [entry.call_id]);
    await test.db.query(`UPDATE transcripts SET status = 'failed', generated_at = NULL`);
    await call(owner, 'POST /api/v1/calls/{call_id}/transcript/retry', [entry.call_id]);
    expect((await api.get(url)).status).toBe(200);
    checked.add('GET /api/v1/recordings/play');
    await call(owner, 'GET /api/v1/calls/{id}', [entry.call_id]);
    await call(owner, 'DELETE /api/v1/calls/{call_id}/tags/{tag_id}', [entry.call_id, tag.id]);
    await call(owner, 'DELETE /api/v1/tags/{id}', [tag.id]);
    await call(owner, 'GET /api/v1/calls');

    const { customer_id } = (
      await test.db.query('SELECT customer_id FROM calls WHERE id = $1', [entry.call_id])
    ).rows[0];
    await call(owner, 'GET /api/v1/customers/{id}/calls', [customer_id]);
    await call(owner, 'GET /api/v1/customers/{id}/export', [customer_id]);
    for (const _ of await call(owner, 'GET /api/v1/calls/{call_id}/recordings', [entry.call_id])) {
      await call(owner, 'DELETE /api/v1/calls/{call_id}/recording', [entry.call_id]);
    }
    const { erasure_id } = await call(owner, 'POST /api/v1/customers/{id}/erase', [customer_id]);
    await call(owner, 'GET /api/v1/erasures/{id}', [erasure_id]);
    await call(owner, 'DELETE /api/v1/departments/{id}', [id]);

    const other = await call(api, 'POST /api/auth/login', [], account);
    const [{ id: session }] = await call(api.as(other.access_token), 'GET /api/v1/users/me/sessions');
    await call(owner, 'DELETE /api/v1/users/me/sessions/{id}', [session]);
    const { secret } = await call(owner, 'POST /api/v1/users/me/mfa');
    const code = (steps: number) => ({ code: codeOf(test, secret, steps) });
    await call(owner, 'POST /api/v1/users/me/mfa/confirm', [], code(-1));
    const { mfa_token } = await call(api, 'POST /api/auth/login', [], account);
    await call(api, 'POST /api/auth/mfa/verify', [], { mfa_token, ...code(0) });
    await call(owner, 'DELETE /api/v1/users/me/mfa', [], code(1));
    for (const list of ['calls', 'customers', 'links']) await call(owner, `GET /api/v1/export/${list}.csv`);
    for (const report of ['overview', 'hourly', 'agents', 'trends', 'estimates']) {
      await call(owner, `GET /api/v1/analytics/${report}`);
    }
    await call(owner, 'POST /api/v1/analytics/refresh-views');
    const wanted = { ...exampleOf('CreateWebhookDto'), url: UNREACHABLE_URL, events: ['department.updated'] };
    const { id: webhook } = await call(owner, 'POST /api/v1/webhooks', [], wanted);
    await call(owner, 'GET /api/v1/webhooks');
    await call(owner, 'GET /api/v1/webhooks/{id}', [webhook]);
    await call(owner, 'PUT /api/v1/webhooks/{id}', [webhook], { description: 'CRM' });
    await call(owner, 'POST /api/v1/webhooks/{id}/rotate-secret', [webhook]);
    const { id: delivery } = await call(owner, 'POST /api/v1/webhooks/{id}/test', [webhook]);
    await call(owner, 'GET /api/v1/webhooks/{id}/deliveries', [webhook]);
    await call(owner, 'GET /api/v1/webhooks/{id}/deliveries/{delivery_id}', [webhook, delivery]);
    const failed = await insertFailedDelivery(test.db, tenant.id, webhook);
    await call(owner, 'POST /api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', [webhook, failed]);
    await call(owner, 'POST /api/v1/webhooks/{id}/replay', [webhook], exampleOf('ReplayDto'));
    await call(owner, 'DELETE /api/v1/webhooks/{id}', [webhook]);
    await call(owner, 'GET /api/v1/audit-log');
    await call(owner, 'POST /api/auth/logout');

    await call(api, 'POST /api/auth/forgot-password', [], { email: user.email, tenant: tenant.slug });
    const { text } = await mail.messageTo(user.email);
    const token = /token=([\w-]+)/.exec(text)?.[1];
    await call(api, 'POST /api/auth/reset-password', [], { token, password: 'another good passphrase' });
    for (const path of ['/healthz', '/readyz', '/docs/asyncapi.yaml']) await call(api, `GET ${path}`);

    const all = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...checked].toSorted()).toEqual(all.toSorted());
  });
});

/** A request body built from the examples of its fields. */
function exampleBody({ properties }: Json): Json {
  return Object.fromEntries(Object.entries<Json>(properties).map(([key, { example }]) => [key, example]));
}
