import { useTexts } from '../app/app-context';
import { refusalText, showsRequestId } from '../format/error-text';
import { Notice } from './notice';

interface Problem {
  code: string;
  request_id?: string | null;
}

/** A refused request, in words. */
export function ProblemNotice({ problem }: { problem: Problem | null }) {
  const texts = useTexts();
  if (!problem) return null;
  return (
    <Notice tone="error" role="alert">
      <p>{refusalText(problem, texts)}</p>
      {showsRequestId(problem, texts) && <p class="fine">{texts.requestId(problem.request_id ?? '')}</p>}
    </Notice>
  );
}
