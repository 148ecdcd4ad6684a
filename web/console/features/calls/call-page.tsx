import { Anchor, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useHasRole, useUser } from '../../state/console-context';
import { useCommonTexts } from '../../texts/texts';
import { useCustomerName } from '../../texts/customer-name';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { CallActions } from './actions/call-actions';
import { CallChat } from './details/call-chat';
import { CallFacts } from './details/call-facts';
import { CallFiles } from './details/call-files';
import { CallParts } from './details/call-parts';
import { ManagerNotes } from './details/manager-notes';
import { RoutingReason } from './details/routing-reason';
import { TagsAndNotes } from './details/tags-and-notes';
import { RecordingPanel } from './recording/recording-panel';
import { callsTexts } from './texts/texts';
import { TimelinePanel } from './timeline/timeline-panel';
import { type Call, useCall } from './use-call';
import { useCallParts } from './use-call-parts';

/** One call with all that is known of it. */
export default function CallPage() {
  const texts = callsTexts.use();
  const { nav, back } = useCommonTexts();
  const nameOf = useCustomerName();
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const { data: call, isPending, error, refetch } = useCall(id);
  return (
    <Page
      title={call ? texts.callOf(nameOf(call)) : texts.title}
      actions={call && <CallActions call={call} />}
    >
      <Anchor component={Link} to="/calls" size="sm" aria-label={`${back}: ${nav.calls}`}>
        ← {nav.calls}
      </Anchor>
      <ProblemNotice error={error} onRetry={refetch} />
      {isPending && <Skeleton height={320} />}
      {call && <Details call={call} />}
    </Page>
  );
}

function Details({ call }: { call: Call }) {
  const supervises = useHasRole('supervisor');
  const isAgent = useIsAgentOf(call);
  return (
    <>
      {call.has_recording && <RecordingPanel callId={call.id} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <Stack>
          {supervises && call.status === 'queued' && <RoutingReason callId={call.id} />}
          <CallFacts call={call} />
          <CallParts callId={call.id} />
          <CallChat call={call} isOver={isOver(call)} />
          <TagsAndNotes call={call} />
          <CallFiles callId={call.id} />
        </Stack>
        <Stack>
          {supervises && <ManagerNotes call={call} />}
          {(supervises || isAgent) && <TimelinePanel callId={call.id} isOver={isOver(call)} />}
        </Stack>
      </SimpleGrid>
    </>
  );
}

const isOver = ({ status }: Call) => !['queued', 'assigned', 'active'].includes(status);

/** Whether the user has or had the call. */
function useIsAgentOf({ id, user_id }: Call): boolean {
  const own = useUser().id;
  const { data: parts = [] } = useCallParts(id);
  return user_id === own || parts.some((part) => part.user_id === own);
}
