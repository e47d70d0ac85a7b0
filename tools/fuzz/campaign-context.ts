import type { Route } from './routes/route.ts'

/** What a campaign needs besides its route. */
export interface CampaignContext {
  readonly now: () => number
  /** Aborts when the person ends the campaign. */
  readonly interrupted: AbortSignal
  /** Takes secrets out of a text that is written to a file. */
  readonly redact: (text: string) => string
  /** What is wrong with the service although it took honest evidence on the route; undefined if nothing is. */
  readonly healthProblem: (route: Route) => Promise<string | undefined>
}
