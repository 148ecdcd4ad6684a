import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHasRole } from '../../state/console-context';
import { Page } from '../../ui/page';
import { BatchDialog } from './batch/batch-dialog';
import { LinkDetails } from './link-details';
import { LinkDialog } from './link-dialog';
import { LinkList } from './link-list';
import { PrintDialog } from './print/print-dialog';
import { linkTexts } from './texts/texts';
import { LINKS_KEY, type AccessLink } from './use-links';

type Dialog =
  | { kind: 'create' | 'batch' }
  | { kind: 'details'; link: AccessLink }
  | { kind: 'print'; links: AccessLink[] };

/** The links through which customers join a queue. */
export default function LinksPage() {
  const texts = linkTexts.use();
  const queries = useQueryClient();
  const isSupervisor = useHasRole('supervisor');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const showAfter = async (next: Dialog) => {
    setDialog(next);
    await queries.invalidateQueries({ queryKey: LINKS_KEY });
  };
  return (
    <Page
      title={texts.title}
      actions={
        <>
          {isSupervisor && (
            <Button variant="default" onClick={() => setDialog({ kind: 'batch' })} data-testid="link-batch">
              {texts.createBatch}
            </Button>
          )}
          <Button onClick={() => setDialog({ kind: 'create' })} data-testid="link-create">
            {texts.create}
          </Button>
        </>
      }
    >
      <LinkList onOpen={(link) => setDialog({ kind: 'details', link })} />
      {dialog?.kind === 'create' && (
        <LinkDialog onClose={close} onCreated={(link) => showAfter({ kind: 'details', link })} />
      )}
      {dialog?.kind === 'batch' && (
        <BatchDialog onClose={close} onCreated={(links) => showAfter({ kind: 'print', links })} />
      )}
      {dialog?.kind === 'details' && (
        <LinkDetails
          link={dialog.link}
          onClose={close}
          onPrint={() => setDialog({ kind: 'print', links: [dialog.link] })}
          onCancelled={(link) => showAfter({ kind: 'details', link })}
        />
      )}
      {dialog?.kind === 'print' && <PrintDialog links={dialog.links} onClose={close} />}
    </Page>
  );
}
