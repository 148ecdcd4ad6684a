import { Anchor, Skeleton, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { DEPARTMENTS_KEY, type Department } from '../../state/use-departments';
import { useCommonTexts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { notifySuccess } from '../../ui/form/page-form';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { useFilters } from '../../ui/use-filters';
import { GeneralTab } from './general/general-tab';
import { HoursTab } from './hours/hours-tab';
import { MembersTab } from './members/members-tab';
import { departmentTexts } from './texts/texts';
import { useDepartment } from './use-department';

const TABS = ['general', 'hours', 'members'] as const;
const NO_FILTERS = { tab: 'general' };

/** All settings of one department. */
export default function DepartmentPage() {
  const texts = departmentTexts.use();
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const { data: department, isPending, error, refetch } = useDepartment(id);
  const [{ tab }, change] = useFilters(NO_FILTERS);
  return (
    <Page
      title={department?.name ?? texts.one}
      actions={department && <DeleteButton department={department} />}
    >
      <Anchor component={Link} to="/departments" size="sm">
        {texts.back}
      </Anchor>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={320} />}
      {department && (
        <Tabs value={tab} onChange={(value) => change({ tab: value ?? NO_FILTERS.tab })}>
          <Tabs.List mb="md">
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name} data-testid={`tab-${name}`}>
                {texts.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="general">
            <GeneralTab key={department.id} department={department} />
          </Tabs.Panel>
          <Tabs.Panel value="hours">
            <HoursTab key={department.id} department={department} />
          </Tabs.Panel>
          <Tabs.Panel value="members">
            <MembersTab departmentId={department.id} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}

function DeleteButton({ department: { id, name } }: { department: Department }) {
  const texts = departmentTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await unwrap(api.DELETE('/api/v1/departments/{id}', { params: { path: { id } } }));
    await navigate({ to: '/departments', ignoreBlocker: true });
    queries.removeQueries({ queryKey: [...DEPARTMENTS_KEY, id] });
    await queries.invalidateQueries({ queryKey: DEPARTMENTS_KEY });
    notifySuccess(texts.deleted(name));
  };
  return (
    <ConfirmButton
      label={common.remove}
      question={texts.deleteQuestion(name)}
      action={remove}
      data-testid="delete-department"
    />
  );
}
