import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { unwrap } from '../../../shared/api/client';
import { useApi } from '../../state/console-context';
import { useZone } from '../../state/use-zone';
import { useLanguage } from '../../texts/language';
import { useCommonTexts } from '../../texts/texts';
import { formatDate } from '../../ui/dates';
import { Page } from '../../ui/page';
import { LongList } from '../../ui/table/long-list';
import type { Column } from '../../ui/table/long-list.types';
import { SkillDialog } from './skill-dialog';
import { skillTexts } from './texts/texts';
import { SKILLS_KEY, type Skill } from '../../state/use-skills';

/** The skills by which calls find their agents. */
export default function SkillsPage() {
  const texts = skillTexts.use();
  const common = useCommonTexts();
  const api = useApi();
  const language = useLanguage();
  const zone = useZone()?.name;
  const [edited, setEdited] = useState<Skill | 'new' | null>(null);
  const columns: Column<Skill>[] = [
    {
      key: 'name',
      header: texts.name,
      width: 'minmax(12rem, 1fr)',
      sortBy: 'name',
      cell: ({ name }) => name,
    },
    {
      key: 'description',
      header: common.description,
      width: 'minmax(14rem, 2fr)',
      cell: ({ description }) => description,
    },
    {
      key: 'inserted_at',
      header: texts.since,
      width: '10rem',
      sortBy: 'inserted_at',
      cell: ({ inserted_at }) => formatDate(inserted_at, language, zone),
    },
  ];
  return (
    <Page
      title={texts.title}
      actions={
        <Button onClick={() => setEdited('new')} data-testid="new-skill">
          {texts.create}
        </Button>
      }
    >
      <Text size="sm">{texts.intro}</Text>
      <LongList
        label={texts.title}
        columns={columns}
        queryKey={SKILLS_KEY}
        fetchPage={(query) => unwrap(api.GET('/api/v1/skills', { params: { query: query as never } }))}
        sorting={{ by: 'name', order: 'asc' }}
        onOpen={setEdited}
        empty={texts.empty}
        testId="skills"
      />
      {edited !== null && (
        <SkillDialog skill={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}
