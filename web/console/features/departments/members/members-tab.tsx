import { Badge, Group, Skeleton, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrap, type components } from '../../../../shared/api/client';
import { useApi } from '../../../state/console-context';
import { DEPARTMENTS_KEY } from '../../../state/use-departments';
import { useCommonTexts } from '../../../texts/texts';
import { ConfirmButton } from '../../../ui/confirm-button';
import { FormGroup } from '../../../ui/form/form-group';
import { ProblemNotice } from '../../../ui/problem-notice';
import { departmentTexts } from '../texts/texts';
import { AddMember } from './add-member';

type Member = components['schemas']['MemberDto'];

/** Who takes the calls of the department. */
export function MembersTab({ departmentId }: { departmentId: string }) {
  const texts = departmentTexts.use().members;
  const api = useApi();
  const queries = useQueryClient();
  const {
    data: members,
    isPending,
    error,
    refetch,
  } = useQuery({
    queryKey: [...DEPARTMENTS_KEY, departmentId, 'members'],
    queryFn: async () => {
      const params = { path: { department_id: departmentId } };
      return (await unwrap(api.GET('/api/v1/departments/{department_id}/users', { params }))).data;
    },
  });
  const changed = () => queries.invalidateQueries({ queryKey: DEPARTMENTS_KEY });
  const remove = async (userId: string) => {
    const params = { path: { department_id: departmentId, user_id: userId } };
    await unwrap(api.DELETE('/api/v1/departments/{department_id}/users/{user_id}', { params }));
    await changed();
  };
  return (
    <FormGroup title={texts.title} text={texts.text}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={160} />}
      {members && (
        <>
          <AddMember departmentId={departmentId} members={members} onAdded={changed} />
          {members.length === 0 && <Text>{texts.empty}</Text>}
          <MemberTable members={members} onRemove={remove} />
        </>
      )}
    </FormGroup>
  );
}

interface MemberTableProps {
  members: readonly Member[];
  onRemove: (userId: string) => Promise<void>;
}

function MemberTable({ members, onRemove }: MemberTableProps) {
  const texts = departmentTexts.use();
  const { roles } = useCommonTexts();
  return (
    <Table>
      <Table.Tbody>
        {members.map(({ id, name, email, role, active }) => (
          <Table.Tr key={id} data-testid="member">
            <Table.Td>
              <Group gap="xs">
                <Text fw={600}>{name}</Text>
                {!active && (
                  <Badge variant="light" color="gray">
                    {texts.inactive}
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {email}, {roles[role]}
              </Text>
            </Table.Td>
            <Table.Td ta="end">
              <ConfirmButton
                label={texts.members.remove}
                question={texts.members.removeQuestion(name)}
                action={() => onRemove(id)}
                size="xs"
                data-testid="remove-member"
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
