import { toApiError } from '../../../src/platform/http/errors/to-api-error';
import { CONSTRAINT_ERRORS } from '../../../src/platform/http/errors/constraint-error-registry';
import { sharedTestApp } from '../../support/shared-app';
import type { TestApp } from '../../support/test-app';

/** Code and fields of the 422 response for each violated constraint. */
const ERRORS: Record<string, { code: string; fields?: Record<string, string[]> }> = {
  tenants_document_key: invalid('document', 'is already in use'),
  legal_holds_tenant_id_fkey: { code: 'legal_hold' },
  legal_holds_customer_id_fkey: { code: 'legal_hold' },
  users_email_key: invalid('email', 'is already in use'),
  departments_identifier_key: invalid('identifier', 'is already in use'),
  departments_overflow_check: invalid('overflow_department_id', 'is the department itself'),
  departments_overflow_department_id_fkey: invalid(
    'overflow_department_id',
    'names a department that does not exist',
  ),
  department_members_pkey: { code: 'already_member', fields: { user_id: ['is already a member'] } },
  department_members_user_id_fkey: invalid('user_id', 'is not a user of this tenant'),
  department_members_department_id_fkey: invalid('department_ids', 'names a department that does not exist'),
  recordings_department_id_fkey: { code: 'department_has_recordings' },
  access_links_department_id_fkey: invalid('department_id', 'names a department that does not exist'),
  access_link_skills_skill_id_fkey: invalid('skills', 'names a skill that does not exist'),
  calls_department_id_fkey: { code: 'invalid_transition' },
  canned_replies_shortcut_key: invalid('shortcut', 'is already in use'),
  skills_name_key: invalid('name', 'is already in use'),
  access_links_customer_id_fkey: invalid('customer_id', 'names a customer that does not exist'),
  appointments_overlap_excl: {
    code: 'appointment_conflict',
    fields: { starts_at: ['overlaps another appointment of the agent'] },
  },
  appointments_department_id_fkey: invalid('department_id', 'names a department that does not exist'),
  appointments_customer_id_fkey: invalid('customer_id', 'names a customer that does not exist'),
  tags_name_key: invalid('name', 'is already in use beside it'),
  tags_parent_id_fkey: invalid('parent_id', 'names a tag that does not exist'),
  call_tags_tag_id_fkey: invalid('tag_id', 'names a tag that does not exist'),
};

function invalid(field: string, problem: string) {
  return { code: 'validation_failed', fields: { [field]: [problem] } };
}

let service: TestApp;

beforeAll(async () => {
  service = await sharedTestApp();
});

afterAll(() => service.close());

const violation = (constraint: string) => ({ severity: 'ERROR', code: '23505', constraint });

it('recognises a violation wrapped by TypeORM', () => {
  const failure = toApiError({ driverError: violation('users_email_key') });
  expect([failure.getStatus(), failure.fields]).toEqual([422, { email: ['is already in use'] }]);
});

it.each(Object.entries(ERRORS))('answers a violated %s with 422', (constraint, { code, fields }) => {
  const failure = toApiError(violation(constraint));
  expect([failure.getStatus(), failure.code, failure.fields]).toEqual([422, code, fields]);
});

it('answers with 500 when no context registered the violated constraint', () => {
  expect(toApiError(violation('calls_pkey')).getStatus()).toBe(500);
});

it('registers exactly these constraints, and all of them exist in the schema', async () => {
  const { rows } = await service.db.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint
     UNION SELECT indexrelid::regclass::text FROM pg_index WHERE indisunique
     -- The trigger raises the violation of a key that only checks new references.
     UNION SELECT tgrelid::regclass || '_department_id_fkey' FROM pg_trigger
     WHERE tgfoid = 'require_department'::regproc`,
  );
  expect(CONSTRAINT_ERRORS.names.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(CONSTRAINT_ERRORS.names));
});
