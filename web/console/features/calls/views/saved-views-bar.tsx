import { Button, Group, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { newKey } from '../../../../shared/new-key';
import { useUser } from '../../../state/console-context';
import { useCommonTexts } from '../../../texts/texts';
import { type CallFilters, isFiltered } from '../call-filters.rules';
import { callsTexts } from '../texts/texts';
import { type SavedView, viewStore, viewWith, withView } from './saved-views';
import { ViewDialog } from './view-dialog';

interface SavedViewsBarProps {
  filters: CallFilters;
  onChoose: (filters: CallFilters) => void;
}

/** The views of the user, and what saves the filters as one. */
export function SavedViewsBar({ filters, onChoose }: SavedViewsBarProps) {
  const { views: texts } = callsTexts.use();
  const { id: userId } = useUser();
  const [views, setViews] = useState(() => viewStore.read(userId));
  const [named, setNamed] = useState<SavedView | null>(null);
  const [last, setLast] = useState<string | null>(null);
  const chosen = viewWith(views, filters);
  // Also a view that was just saved, or stood in the address, can be changed.
  if (chosen && chosen.id !== last) setLast(chosen.id);
  const current = chosen ?? views.find(({ id }) => id === last);
  const keep = (changed: SavedView[]) => {
    setViews(changed);
    viewStore.write(userId, changed);
  };
  const remove = (view: SavedView) => {
    keep(views.filter(({ id }) => id !== view.id));
    notifications.show({ message: texts.removed(view.name) });
  };
  if (views.length === 0 && !isFiltered(filters)) return null;
  return (
    <Group gap="xs" role="group" aria-label={texts.label}>
      {views.map((view) => (
        <Button
          key={view.id}
          size="xs"
          variant={view === chosen ? 'filled' : 'default'}
          aria-pressed={view === chosen}
          data-testid="saved-view"
          onClick={() => onChoose(view.filters)}
        >
          {view.name}
        </Button>
      ))}
      {current && (
        <ViewMenu
          view={current}
          isChanged={current !== chosen}
          onUpdate={() => keep(withView(views, { ...current, filters }))}
          onRename={() => setNamed(current)}
          onRemove={() => remove(current)}
        />
      )}
      {!chosen && isFiltered(filters) && (
        <Button
          size="xs"
          variant="subtle"
          data-testid="save-view"
          onClick={() => setNamed({ id: newKey(), name: '', filters })}
        >
          {texts.save}
        </Button>
      )}
      {named && (
        <ViewDialog
          title={named.name ? texts.rename : texts.save}
          name={named.name}
          onSave={(name) => keep(withView(views, { ...named, name }))}
          onClose={() => setNamed(null)}
        />
      )}
    </Group>
  );
}

interface ViewMenuProps {
  view: SavedView;
  /** Whether the filters differ from those of the view. */
  isChanged: boolean;
  onUpdate: () => void;
  onRename: () => void;
  onRemove: () => void;
}

function ViewMenu({ view, isChanged, onUpdate, onRename, onRemove }: ViewMenuProps) {
  const { views: texts } = callsTexts.use();
  const { remove } = useCommonTexts();
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="subtle" data-testid="view-menu">
          {texts.change(view.name)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isChanged && <Menu.Item onClick={onUpdate}>{texts.update}</Menu.Item>}
        <Menu.Item onClick={onRename}>{texts.rename}</Menu.Item>
        <Menu.Item color="red" onClick={onRemove}>
          {remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
