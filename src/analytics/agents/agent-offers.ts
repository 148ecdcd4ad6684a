import { type Bind, inPeriod, inScope, sumsOfDays } from './agent-source';
import { quotient } from '../figures';
import type { ReportParameters } from '../report-parameters-reader';

/** Offers that an agent got in the period. */
export interface AgentOffers {
  offers: number;
  accepted_offers: number;
  declined_offers: number;
  /** Neither accepted nor declined in time. */
  missed_offers: number;
  /** Seconds until the agent accepted, of all accepted offers in total. */
  answer_time: number;
}

export const AGENT_OFFERS = [
  'offers',
  'accepted_offers',
  'declined_offers',
  'missed_offers',
  'answer_time',
] as const satisfies (keyof AgentOffers)[];

/** Selects the AgentOffers of each agent with an offer in the period. An offer counts at the time at which it was made. */
export function agentOffersSql(parameters: ReportParameters, bind: Bind): string {
  const condition = inScope(parameters, bind);
  if (parameters.refreshed_at !== null) {
    return sumsOfDays('agent_offer_days', AGENT_OFFERS, parameters, condition, bind);
  }
  return `SELECT user_id, count(*) AS offers, ${count('accepted')} AS accepted_offers,
      ${count('declined')} AS declined_offers, ${count('expired')} AS missed_offers,
      COALESCE(date_part('epoch', sum(ended_at - offered_at) FILTER (WHERE status = 'accepted')), 0) AS answer_time
    FROM offers WHERE ${condition} AND ${inPeriod('offered_at', parameters, bind)} GROUP BY user_id`;
}

const count = (status: string) => `count(*) FILTER (WHERE status = '${status}')`;

/**
 * The figures of the report. Offers that were withdrawn, or that the agent can still accept, do not affect the rate,
 * because the agent did not decide them.
 */
export function offerFigures({
  offers,
  accepted_offers,
  declined_offers,
  missed_offers,
  answer_time,
}: AgentOffers) {
  const decided = accepted_offers + declined_offers + missed_offers;
  return {
    offers,
    accepted_offers,
    declined_offers,
    missed_offers,
    acceptance_rate: quotient(accepted_offers, decided, 4),
    average_answer_time: quotient(answer_time, accepted_offers, 1),
  };
}
