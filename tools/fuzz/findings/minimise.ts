import { type FuzzInput, prepared, type Route } from '../routes/route.ts'
import type { Recipe } from '../stages.ts'
import type { Answer } from './answer.ts'
import { type Severity, severityOf } from './finding.ts'

/** An input with its answer. */
export interface Hit {
  readonly input: FuzzInput
  readonly answer: Answer
}

/** How many requests may be spent on making a finding smaller; each of a hang takes its whole deadline. */
const TRIES: Readonly<Record<Severity, number>> = {
  'false pass': 160,
  'server error': 160,
  crash: 40,
  hang: 3,
  memory: 6,
  'lost service': 0,
  'changed answer': 0,
}

/** Sends while there are tries left; undefined when the answer is not as bad as the finding. */
function attempts(route: Route, severity: Severity, stopped: () => boolean) {
  let left = TRIES[severity]
  return async (prepare: () => Promise<FuzzInput | undefined>): Promise<Hit | undefined> => {
    if (left <= 0 || stopped()) return undefined
    left -= 1
    const input = await prepare()
    if (input === undefined) return undefined
    const answer = await route.send(input)
    return severityOf(answer, input.says) === severity ? { input, answer } : undefined
  }
}

type Attempt = ReturnType<typeof attempts>

/** Leaves the steps out one by one, as long as what was found stays. */
async function withFewerSteps(route: Route, found: Hit, attempt: Attempt): Promise<Hit> {
  let best = found
  for (const step of found.input.recipe) {
    const rest: Recipe = best.input.recipe.filter((one) => one !== step)
    if (rest.length === 0) break
    best = (await attempt(() => prepared(route, rest))) ?? best
  }
  return best
}

/** Cuts bytes out of the body, largest cuts first, and begins anew after each that leaves what was found. */
async function withFewerBytes(route: Route, found: Hit, attempt: Attempt): Promise<Hit> {
  const { smaller, withBody } = route
  if (smaller === undefined || withBody === undefined) return found
  let best = found
  for (let again = true; again; ) {
    again = false
    for (const body of smaller(best.input.body)) {
      if (body.length >= best.input.body.length) continue
      const hit = await attempt(async () => withBody(best.input.recipe, body))
      if (hit === undefined) continue
      best = hit
      again = true
      break
    }
  }
  return best
}

/** The smallest request seen to be answered as badly: fewer steps first, then fewer bytes. */
export async function minimise(
  route: Route,
  found: Hit,
  severity: Severity,
  stopped: () => boolean,
): Promise<Hit> {
  const attempt = attempts(route, severity, stopped)
  return withFewerBytes(route, await withFewerSteps(route, found, attempt), attempt)
}
