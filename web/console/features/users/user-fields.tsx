import { MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { hasRole } from '../../state/roles';
import { useDepartments } from '../../state/use-departments';
import { useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { ProblemNotice } from '../../ui/problem-notice';
import { userTexts } from './texts/texts';
import { ROLES, type Role } from './user';

export interface RoleValues {
  role: Role;
  department_ids: string[];
}

export interface UserValues extends RoleValues {
  name: string;
  email: string;
  phone: string;
}

/** What an invitation and the editing of a user have in common. */
export function UserFields<Values extends UserValues>({ form }: { form: UseFormReturnType<Values> }) {
  const texts = userTexts.use();
  return (
    <>
      <TextInput
        label={texts.name}
        required
        data-autofocus
        data-testid="user-name"
        {...form.getInputProps('name')}
      />
      <TextInput
        type="email"
        label={texts.email}
        required
        data-testid="user-email"
        {...form.getInputProps('email')}
      />
      <TextInput type="tel" label={texts.phone} {...form.getInputProps('phone')} />
      <RoleFields form={form} />
    </>
  );
}

/** What users may do, and whose calls they take. */
export function RoleFields<Values extends RoleValues>({ form }: { form: UseFormReturnType<Values> }) {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const own = useUser();
  const { data: departments = [], error, refetch } = useDepartments();
  return (
    <>
      <NativeSelect
        label={texts.role}
        description={texts.roleText}
        data={ROLES.filter((role) => hasRole(own.role, role)).map((value) => ({
          value,
          label: common.roles[value],
        }))}
        {...form.getInputProps('role')}
      />
      <ProblemNotice error={error} onRetry={refetch} />
      <MultiSelect
        label={texts.departments}
        description={texts.departmentsText}
        data={departments.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        hidePickedOptions
        data-testid="user-departments"
        {...form.getInputProps('department_ids')}
      />
    </>
  );
}
