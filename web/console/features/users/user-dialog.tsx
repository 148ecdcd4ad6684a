import { Button, Stack, Tabs, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { hasRole } from '../../state/roles';
import { useHasRole, useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog/dialog';
import { DialogContext } from '../../ui/dialog/dialog-context';
import { notifySuccess } from '../../ui/form/page-form';
import { PhotoField } from '../../ui/pictures/photo-field';
import { AccessActions } from './access-actions';
import { EditForm } from './edit-form';
import { SkillsForm } from './skills-form';
import { userTexts } from './texts/texts';
import { USERS_KEY, type User } from './user';

interface UserDialogProps {
  user: User;
  onClose: () => void;
}

/** One user: data and access for managers, skills for supervisors, too. */
export function UserDialog({ user, onClose }: UserDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={user.name} size="lg" closeOnClickOutside={false}>
      <UserTabs user={user} onClose={onClose} />
    </Dialog>
  );
}

function UserTabs({ user, onClose }: UserDialogProps) {
  const texts = userTexts.use();
  const common = useCommonTexts();
  const queries = useQueryClient();
  const dialog = useContext(DialogContext);
  const own = useUser();
  const isManager = useHasRole('manager');
  // Nobody edits users of a higher role.
  const mayEdit = isManager && hasRole(own.role, user.role);
  const changed = async () => {
    await queries.invalidateQueries({ queryKey: USERS_KEY });
    // What is typed in another tab is not saved yet.
    if (dialog?.unsaved.size === 0) onClose();
  };
  const saved = async () => {
    await changed();
    notifySuccess(common.saved);
  };
  return (
    <>
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
          <Button variant="default" onClick={dialog?.close}>
            {common.close}
          </Button>
        </Stack>
      )}
    </>
  );
}
