import { Button, ColorSwatch, Group, Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { TagDialog } from './tag-dialog';
import type { TagRow } from './tag-tree.rules';
import { tagTexts } from './texts/texts';
import { useTags } from './use-tags';

const INDENT_REM = 1.5;

/** The tags that sort calls by subject. */
export default function TagsPage() {
  const texts = tagTexts.use();
  const { data: tags = [], isPending, error, refetch } = useTags();
  const [edited, setEdited] = useState<TagRow | 'new' | null>(null);
  return (
    <Page title={texts.title} actions={<Button onClick={() => setEdited('new')}>{texts.create}</Button>}>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={160} />}
      {!isPending && !error && tags.length === 0 && <Text>{texts.empty}</Text>}
      {tags.length > 0 && (
        <Table highlightOnHover>
          <Table.Tbody>
            {tags.map((tag) => (
              <Table.Tr key={tag.id} data-testid="tag-row">
                <Table.Td style={{ paddingInlineStart: `${0.75 + tag.depth * INDENT_REM}rem` }}>
                  <Group gap="xs" wrap="nowrap">
                    <ColorSwatch color={tag.color} size={14} withShadow={false} />
                    <UnstyledButton c="var(--mantine-color-anchor)" onClick={() => setEdited(tag)}>
                      {tag.name}
                    </UnstyledButton>
                  </Group>
                </Table.Td>
                <Table.Td c="dimmed">{tag.description}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {edited !== null && (
        <TagDialog tag={edited === 'new' ? null : edited} tags={tags} onClose={() => setEdited(null)} />
      )}
    </Page>
  );
}
