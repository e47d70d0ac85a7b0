import type { CampaignContext } from '../campaign-context.ts'
import { probe } from '../probe.ts'
import type { FuzzInput, Route } from '../routes/route.ts'
import type { Answer } from './answer.ts'
import { type Finding, type FoundInput, severityOf } from './finding.ts'

/** Whether a finding was seen again, and in which words to say it. */
interface Seen {
  readonly again: boolean
  readonly line: string
}

/** How often a request is sent to see whether its answer changes. */
const REPEATS = 20

/** The recorded body where there is a whole one, else the recipe once more. */
function inputOf(route: Route, { recipe, body }: FoundInput): Promise<FuzzInput> {
  const { withBody } = route
  const whole = withBody !== undefined && body !== undefined && !body.includes('[redacted ')
  return whole ? Promise.resolve(withBody(recipe, body)) : route.prepare(recipe)
}

async function answersTo(
  route: Route,
  input: FuzzInput,
  times: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let time = 0; time < times; time += 1) answers.push(await route.send(input))
  return answers
}

/** Sends what a finding was made of once more, and looks whether it ends as badly. */
export async function replay(
  context: CampaignContext,
  route: Route,
  finding: Finding,
): Promise<Seen> {
  const { severity, shots, says } = finding
  const wanted = severity === 'changed answer' ? REPEATS : 1
  const lines = new Set<string>()
  let again = false
  for (const found of shots) {
    const input = await inputOf(route, found)
    const answers = await answersTo(route, input, wanted)
    for (const { line } of answers) lines.add(line)
    const known = (): Finding['says'] => (input.says().length > 0 ? input.says() : says)
    again ||= answers.some((answer) => severityOf(answer, known) === severity)
  }
  if (severity === 'changed answer') again = lines.size > 1
  if (severity === 'lost service') {
    const loss = await probe(context, route)
    if (loss !== undefined) return { again: true, line: loss.wrong }
  }
  return { again, line: [...lines].join('; then ') }
}
