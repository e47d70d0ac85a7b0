import { Campaign } from '../campaign.ts'
import type { Finding } from '../findings/finding.ts'
import type { FuzzKind } from '../kinds.ts'
import { openLocalRoute } from '../local/fuzz-local.ts'

/** One evaluator with a bug, and the campaign that has to find it. */
interface Hunt {
  /** What the bug is called. */
  readonly name: string
  readonly kind: FuzzKind
  /** Line for the shell that starts the evaluator. */
  readonly command: string
  readonly limits: { readonly runs: number; readonly seconds: number }
  readonly deadline?: number
  readonly seed?: string
}

/** The first finding of a campaign against an evaluator with a bug; undefined if the campaign ends without one. */
export async function findFirst(hunt: Hunt): Promise<Finding | undefined> {
  const { name, kind, command, limits, deadline = 1000, seed = '7' } = hunt
  const { route, evaluator } = openLocalRoute({ kind, options: { deadline } }, command)
  const enough = new AbortController()
  const found: Finding[] = []
  const context = {
    ...{ now: () => performance.now(), interrupted: enough.signal },
    ...{ redact: (text: string) => text, healthProblem: async () => undefined },
  }
  const campaign = new Campaign(context, route, {
    ...{ kind, seed, target: name, limits },
    onFinding: (finding) => {
      found.push(finding)
      enough.abort()
    },
  })
  const began = performance.now()
  await campaign.run()
  await evaluator.close()
  const [first] = found
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.info(
    `${name} ${kind}: ${first?.severity ?? 'nothing'} within ${campaign.tally.runs} inputs and ${seconds} s, seed ${seed}${first ? `: ${first.sentence}` : ''}`,
  )
  return first
}
