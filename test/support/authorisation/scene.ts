import sharp from 'sharp';
import type { Json } from '../http/api';
import type { Role } from '../../../src/platform/access/roles';
import { beginWrapUp, openSocketOf } from '../contexts/agents';
import { book, freeSlot, performStep } from '../contexts/appointments';
import { expectStatus, login, type Member, someId, TestTenant } from '../builders';
import {
  requestMfaToken,
  codeOf,
  type Enrolled,
  enrolledMember,
  MFA_PATH,
  advanceSteps,
} from '../contexts/mfa';
import { type Part, upload } from '../http/multipart';
import { callingQueue } from '../contexts/callbacks';
import { automaticQueue } from '../contexts/offers';
import { createRecording } from '../contexts/recordings';
import { createSkill } from '../contexts/skills';
import { insertTranscriptResults, waitForTranscripts } from '../database/transcript-results';
import type { TestApp } from '../test-app';
import { insertFailedDelivery, createWebhook } from '../contexts/webhooks';

/** The callers of requests: `nobody` has no token, `stranger` is the owner of another tenant. */
export const CALLERS = ['nobody', 'attendant', 'supervisor', 'manager', 'owner', 'stranger'] as const;

export type Caller = (typeof CALLERS)[number];

/** Queue limits that the tests do not reach. */
const HIGH_QUEUE_LIMITS = { max_queue_size: 1000, max_wait_time: 36_000 };

/** The time of an appointment of the other tenant's owner. */
export const TAKEN_SLOT = { starts_at: '2031-01-31T12:00:00.000Z', ends_at: '2031-01-31T12:30:00.000Z' };

/** A file that staff add to a call. */
export const FILE_PARTS: Part[] = [['file', Buffer.from('A file of a call'), 'note.txt']];

/** Two tenants, the first with staff of every role. Creates new records that requests may change or delete. */
export class Scene {
  private counter = 0;
  private enrolled: Promise<Enrolled> | undefined;
  private failing: Promise<string> | undefined;
  private calling: Promise<{ token: string }> | undefined;
  private automatic: ReturnType<typeof automaticQueue> | undefined;

  private constructor(
    readonly test: TestApp,
    readonly tenant: TestTenant,
    readonly other: TestTenant,
    private readonly members: Record<Exclude<Caller, 'nobody'>, Member>,
    readonly department: Json,
    readonly link: Json,
    /** A colleague whom requests read or change. */
    readonly user: Member,
  ) {}

  static async open(test: TestApp): Promise<Scene> {
    const [tenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
    // The lists of the other tenant must not be empty.
    await other.join((await other.queue()).link);
    expectStatus(await other.owner.api.post('/api/v1/tags', { name: 'Tag of others' }), 201);
    await createSkill(other);
    const reply = { title: 'Reply of others', text: 'Good morning' };
    expectStatus(await other.owner.api.post('/api/v1/canned-replies', reply), 201);
    for (const name of ['Theirs', 'Theirs again']) {
      expectStatus(await other.owner.api.post('/api/v1/customers', { name, phone: '11 3333-4444' }), 201);
    }
    await book(other, TAKEN_SLOT);
    await createWebhook(other);
    const { department, link } = await tenant.queue(HIGH_QUEUE_LIMITS);
    const members = {
      attendant: await tenant.member('attendant', [department.id]),
      supervisor: await tenant.member('supervisor'),
      manager: await tenant.member('manager'),
      owner: tenant.owner,
      stranger: other.owner,
    };
    const user = await tenant.member('attendant', [department.id]);
    return new Scene(test, tenant, other, members, department, link, user);
  }

  /** The same tenants and users, but calls use this link. */
  withLink(link: Json): Scene {
    const { test, tenant, other, members, department, user } = this;
    return new Scene(test, tenant, other, members, department, link, user);
  }

  /** A webhook that is already failing, so that one more failure changes nothing. */
  async webhook(): Promise<string> {
    this.failing ??= this.newWebhook();
    return this.failing;
  }

  /** Creates a webhook that is already failing. */
  async newWebhook(): Promise<string> {
    const { id } = await createWebhook(this.tenant);
    await this.test.db.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [id]);
    return id;
  }

  /** The ids of a webhook and of one of its failed deliveries. */
  async delivery(): Promise<string[]> {
    const webhook = await this.webhook();
    return [webhook, await insertFailedDelivery(this.test.db, this.tenant.id, webhook)];
  }

  member(caller: Caller): Member | undefined {
    return caller === 'nobody' ? undefined : this.members[caller];
  }

  /** Creates a user with the same role and tenant. */
  async newcomer(caller: Caller): Promise<Member | undefined> {
    if (caller === 'nobody') return undefined;
    return caller === 'stranger' ? this.other.member('owner') : this.tenant.member(caller);
  }

  /** As newcomer, in wrap-up. */
  async wrappingUp(caller: Caller): Promise<Member | undefined> {
    const member = await this.newcomer(caller);
    if (member) await beginWrapUp(this.test, member.id);
    return member;
  }

  /** A waiting call of a department that offers its calls; no offer of it ends by itself while the spec runs. */
  async offerableCall(): Promise<string> {
    this.automatic ??= automaticQueue(this.tenant, { ...HIGH_QUEUE_LIMITS, offer_timeout: 120 });
    const { call_id } = await this.tenant.join((await this.automatic).link);
    await this.test.db.query(`UPDATE line_entries SET present_until = 'infinity' WHERE call_id = $1`, [
      call_id,
    ]);
    return call_id;
  }

  /** Creates a user of the tenant with an open socket, of no department. */
  async onlineMember(role: Role): Promise<Member> {
    const member = await this.tenant.member(role);
    await openSocketOf(this.test, this.tenant.id, member.id);
    // Announces the state at once; otherwise a background task would, at any time.
    expectStatus(await member.api.put(`/api/v1/users/${member.id}/state`, { state: 'available' }), 200);
    return member;
  }

  /** A user like the caller who is being offered a call of their own tenant. */
  async withOffer(caller: Caller): Promise<Member | undefined> {
    if (caller !== 'stranger') return (await this.offered(caller)).as;
    const { other, test } = this;
    const { department, link } = await automaticQueue(other);
    const member = await other.member('owner', [department.id]);
    await openSocketOf(test, other.id, member.id);
    expectStatus(await member.api.put(`/api/v1/users/${member.id}/state`, { state: 'available' }), 200);
    const { call_id } = await other.join(link);
    expectStatus(await other.owner.api.post(`/api/v1/calls/${call_id}/offer`, { user_id: member.id }), 201);
    return member;
  }

  /** A user like the caller who is being offered a call; a stranger and nobody get the offer of another user. */
  async offered(caller: Caller): Promise<{ ids: string[]; as?: Member }> {
    const isKnown = caller !== 'nobody' && caller !== 'stranger';
    const member = await this.onlineMember(isKnown ? caller : 'attendant');
    const callId = await this.offerableCall();
    const answer = await this.tenant.owner.api.post(`/api/v1/calls/${callId}/offer`, { user_id: member.id });
    expectStatus(answer, 201);
    return { ids: [answer.body.data.id], ...(isKnown ? { as: member } : {}) };
  }

  /** Opens another session of a user. */
  async session(of: Member): Promise<{ id: string; member: Member }> {
    const { slug } = of === this.other.owner ? this.other : this.tenant;
    const member = await login(this.test, slug, of.email);
    const { data } = (await member.api.get('/api/v1/users/me/sessions')).body;
    return { id: data.find(({ current }: Json) => current).id, member };
  }

  /** Starts the MFA enrolment of a member. @returns the code that confirms it */
  async startEnrolment({ api }: Member): Promise<{ code: string }> {
    return { code: codeOf(this.test, (await api.post(MFA_PATH)).body.data.secret) };
  }

  /** Starts a login with MFA. @returns the body of its second step */
  async challenge(): Promise<{ mfa_token: string; code: string }> {
    this.enrolled ??= enrolledMember(this.test, this.tenant);
    const { member, app } = await this.enrolled;
    const mfa_token = await requestMfaToken(this.test, this.tenant, member);
    advanceSteps(this.test);
    return { mfa_token, code: app.code() };
  }

  /** Adds a customer to the queue. */
  entry(): Promise<Json> {
    return this.tenant.join(this.link);
  }

  /** Adds a customer to a queue that calls back, in which others come first. */
  async distantEntry(): Promise<Json> {
    this.calling ??= this.callingQueue();
    return this.tenant.join(await this.calling);
  }

  private async callingQueue(): Promise<{ token: string }> {
    const { link } = await callingQueue(this.tenant, HIGH_QUEUE_LIMITS);
    await this.tenant.join(link as { token: string });
    return link as { token: string };
  }

  /** A call that the colleague has taken, as its customer has joined. */
  async assignedEntry(): Promise<Json> {
    const entry = await this.entry();
    expectStatus(await this.user.api.post(`/api/v1/calls/${entry.call_id}/assign`), 200);
    return entry;
  }

  async queuedCall(): Promise<string> {
    return (await this.entry()).call_id;
  }

  /** A call that the colleague has started. */
  async activeCall(): Promise<string> {
    const id = await this.queuedCall();
    expectStatus(await this.user.api.post(`/api/v1/calls/${id}/start`), 200);
    return id;
  }

  async completedCall(): Promise<string> {
    const id = await this.queuedCall();
    expectStatus(await this.tenant.owner.api.post(`/api/v1/calls/${id}/complete`), 200);
    return id;
  }

  /** Creates an appointment of the colleague and performs the step if one is given. */
  async appointment(step?: string): Promise<string> {
    const { test, tenant, user, department } = this;
    const { id } = await book(tenant, {
      ...freeSlot(test),
      user_id: user.id,
      department_id: department.id,
    });
    if (step) await performStep(tenant, id, step);
    return id;
  }

  /** Creates a tag. */
  async tag(): Promise<string> {
    const answer = await this.tenant.owner.api.post('/api/v1/tags', { name: someId() });
    expectStatus(answer, 201);
    return answer.body.data.id;
  }

  /** Creates a canned reply. */
  async cannedReply(): Promise<string> {
    const input = { title: 'Greeting', text: 'Good morning' };
    const answer = await this.tenant.owner.api.post('/api/v1/canned-replies', input);
    expectStatus(answer, 201);
    return answer.body.data.id;
  }

  /** Creates a customer without calls. */
  async customer(): Promise<string> {
    const answer = await this.tenant.owner.api.post('/api/v1/customers', {
      name: this.uniqueName('Customer'),
    });
    expectStatus(answer, 201);
    return answer.body.data.id;
  }

  /** Erases a customer. @returns the id of the erasure */
  async erasure(): Promise<string> {
    const answer = await this.tenant.owner.api.post(`/api/v1/customers/${await this.customer()}/erase`);
    expectStatus(answer, 200);
    return answer.body.data.erasure_id;
  }

  /** @returns the ids of a call and of its tag */
  async taggedCall(): Promise<[string, string]> {
    const [id, tag_id] = [await this.queuedCall(), await this.tag()];
    expectStatus(await this.tenant.owner.api.post(`/api/v1/calls/${id}/tags`, { tag_id }), 201);
    return [id, tag_id];
  }

  /** @returns the ids of a call and of its file */
  async callFile(): Promise<[string, string]> {
    const id = await this.queuedCall();
    const { token } = this.tenant.owner;
    const answer = await upload(this.test, `/api/v1/calls/${id}/upload`, FILE_PARTS, { token });
    expectStatus(answer, 201);
    return [id, answer.body.data.id];
  }

  /** Creates a call with a recording whose content is unique. */
  async recordedCall(): Promise<string> {
    const id = await this.queuedCall();
    await createRecording(this.test, id, this.tenant.owner);
    return id;
  }

  /** Creates a recorded call with a ready transcript and summary, or with a failed transcript. */
  async transcribedCall(status: 'ready' | 'failed'): Promise<string> {
    const { db } = this.test;
    const id = await this.recordedCall();
    await waitForTranscripts(db, this.tenant.id);
    await insertTranscriptResults(db, id, status);
    return id;
  }

  /** @returns the query string of a playback URL */
  async ticket(): Promise<string> {
    const id = await this.recordedCall();
    const { data } = (await this.tenant.owner.api.post(`/api/v1/calls/${id}/recording/ticket`)).body;
    return new URL(data.url, this.test.url).search;
  }

  /** Invites a user, who has no password yet. @returns the id */
  async invitee(): Promise<string> {
    const input = {
      name: this.uniqueName('Invitee'),
      email: `invitee${this.next()}@example.com`,
      role: 'attendant',
    };
    const answer = await this.tenant.owner.api.post('/api/v1/users', input);
    expectStatus(answer, 201);
    return answer.body.data.id;
  }

  /** A picture with unique content. */
  async picture(): Promise<Part[]> {
    const background = { r: this.next() % 256, g: 99, b: 235 };
    const content = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
    return [['file', content]];
  }

  /** Uploads a logo. @returns the path of its URL */
  async logo(): Promise<string> {
    const { token } = this.tenant.owner;
    const answer = await upload(this.test, '/api/v1/tenant/logo', await this.picture(), { token });
    expectStatus(answer, 201);
    return new URL(answer.body.data.logo_url).pathname;
  }

  /** Uploads the photo of the user. @returns the path of its URL */
  async avatar(): Promise<string> {
    const { token } = this.tenant.owner;
    const path = `/api/v1/users/${this.user.id}/avatar`;
    const answer = await upload(this.test, path, await this.picture(), { method: 'PUT', token });
    expectStatus(answer, 200);
    return new URL(answer.body.data.avatar_url).pathname;
  }

  uniqueName = (what: string): string => `${what} ${this.next()} of ${this.tenant.slug}`;
  next = (): number => ++this.counter;
}
