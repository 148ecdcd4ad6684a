import { Button, Stack, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { hasRole } from '../../state/roles';
import { useHasRole, useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog/dialog';
import { notifySuccess } from '../../ui/form/page-form';
import { PhotoField } from '../../ui/pictures/photo-field';
import { AccessActions } from './access-actions';
import { EditForm } from './edit-form';
import { SkillsForm } from './skills-form';
import { userTexts } from './texts/texts';
import { USERS_KEY, type User } from './user';

/** One user: data and access for managers, skills for supervisors, too. */
export function UserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const queries = useQueryClient();
  const own = useUser();
  const isManager = useHasRole('manager');
  // Nobody edits users of a higher role.
  const mayEdit = isManager && hasRole(own.role, user.role);
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: USERS_KEY });
    onClose();
  };
  const saved = async () => {
    await changed();
    notifySuccess(common.saved);
  };
  return (
    <Dialog opened onClose={onClose} title={user.name} size="lg" closeOnClickOutside={false}>
      <Tabs defaultValue={mayEdit ? 'data' : 'skills'}>
        <Tabs.List mb="md">
          {mayEdit && <Tabs.Tab value="data">{texts.data}</Tabs.Tab>}
          <Tabs.Tab value="skills" data-testid="skills-tab">
            {texts.skills}
          </Tabs.Tab>
          {mayEdit && (
            <Tabs.Tab value="access" data-testid="access-tab">
              {texts.access}
            </Tabs.Tab>
          )}
        </Tabs.List>
        {mayEdit && (
          <Tabs.Panel value="data">
            <PhotoField user={user} />
            <EditForm user={user} onSaved={saved} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="skills">
          <SkillsForm user={user} onSaved={saved} />
        </Tabs.Panel>
        {mayEdit && (
          <Tabs.Panel value="access">
            <AccessActions user={user} onReset={changed} />
          </Tabs.Panel>
        )}
      </Tabs>
      {isManager && !mayEdit && (
        <Stack mt="md" align="start">
          <Text size="sm" c="dimmed">
            {texts.higherRole}
          </Text>
          <Button variant="default" onClick={onClose}>
            {common.close}
          </Button>
        </Stack>
      )}
    </Dialog>
  );
}
