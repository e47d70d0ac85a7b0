import type { CampaignContext } from './campaign-context.ts'
import { drawRecipe } from './draw.ts'
import type { Answer, AnswerKind } from './findings/answer.ts'
import {
  causeOf,
  type Finding,
  type FoundInput,
  type Severity,
  severityOf,
} from './findings/finding.ts'
import { type Hit, minimise } from './findings/minimise.ts'
import { emptyTally, type Tally } from './findings/tally.ts'
import type { FuzzKind } from './kinds.ts'
import { probe } from './probe.ts'
import { type FuzzInput, prepared, type Route } from './routes/route.ts'

export interface Limits {
  readonly runs: number
  readonly seconds: number
}

interface CampaignOptions {
  readonly kind: FuzzKind
  readonly seed: string
  readonly target: string
  readonly limits: Limits
  readonly onFinding: (finding: Finding) => void
}

/** An honest request is sent after so many runs, and after every answer that may mean a fall. */
const PROBE_EACH = 25
/** One of so many is sent twice. */
const TWICE_EACH = 20
/** Beyond it a deployment is not tried further on that way: it is known to be broken. */
const MOST_FINDINGS = 25

/** Answers after which the service may be gone. */
const MAY_BE_LOST: ReadonlySet<AnswerKind> = new Set(['server error', 'no answer', 'cut off'])

/** What one run has sent, and the answer; neither where the deployment no longer took an earlier step. */
interface Sent {
  readonly run: number
  readonly input?: FuzzInput
  readonly answer?: Answer
  /** The answer to the same input once more, where it was sent twice. */
  readonly second?: Answer
}

/** One route's campaign: mutates, sends, compares the answer with the oracle, and checks that the service still answers. */
export class Campaign {
  readonly findings: Finding[] = []
  readonly tally: Tally
  readonly #context: CampaignContext
  readonly #route: Route
  readonly #options: CampaignOptions
  readonly #byCause = new Map<string, Finding>()
  /** Everything since the service was last seen to work. */
  #since: FuzzInput[] = []
  #over = false
  readonly #probeEach: number

  constructor(context: CampaignContext, route: Route, options: CampaignOptions) {
    this.#context = context
    this.#route = route
    this.#options = options
    this.tally = emptyTally(route.name)
    // Each of these waits for all that is on its way.
    this.#probeEach = PROBE_EACH * (route.atOnce ?? 1)
  }

  /** Runs until the runs or the seconds are over, the service is gone, or the person ends it. */
  async run(): Promise<void> {
    const { limits, seed } = this.#options
    const { atOnce = 1, name, mutations } = this.#route
    const deadline = this.#context.now() + limits.seconds * 1000
    const ahead: Promise<Sent>[] = []
    let next = 0
    const isMore = () => next < limits.runs && !this.#isOver(deadline)
    while (isMore() || ahead.length > 0) {
      for (; isMore() && ahead.length < atOnce; next += 1)
        ahead.push(this.#send(next, drawRecipe(seed, name, next, mutations)))
      const sent = await ahead.shift()
      if (sent !== undefined) await this.#judge(sent)
    }
    if (!this.#over && !this.#stopped()) await this.#lookAfter(this.tally.runs)
  }

  #stopped(): boolean {
    return this.#context.interrupted.aborted
  }

  #isOver(deadline: number): boolean {
    return this.#over || this.#stopped() || this.#context.now() >= deadline
  }

  /** Sends the input of a recipe; what comes of it is looked at in the order of the runs. */
  #send(run: number, recipe: FuzzInput['recipe']): Promise<Sent> {
    const sending = async (): Promise<Sent> => {
      const input = await prepared(this.#route, recipe)
      if (input === undefined) return { run }
      const answer = await this.#route.send(input)
      const second = this.#isSentTwice(run, { input, answer })
        ? await this.#route.send(input)
        : answer
      return { run, input, answer, second }
    }
    const sent = sending()
    // A fault is met when its turn comes, unless an earlier one ends the campaign.
    sent.catch(() => undefined)
    return sent
  }

  /** Whether it is looked at if the same input gets the same answer. */
  #isSentTwice(run: number, { input, answer }: Hit): boolean {
    const isRepeatable = this.#route.withBody !== undefined && answer.kind !== 'busy'
    if (run % TWICE_EACH !== 1 || !isRepeatable || this.#stopped()) return false
    return severityOf(answer, input.says) === undefined
  }

  async #judge({ run, input, answer, second = answer }: Sent): Promise<void> {
    // What cannot even be prepared any more is for the honest request to find out.
    if (input === undefined || answer === undefined) return this.#lookAfter(run)
    this.#since.push(input)
    // A request that the person's Ctrl-C has ended says nothing about the deployment.
    if (this.#stopped()) return
    this.#count(input, answer)
    const severity = severityOf(answer, input.says)
    if (severity !== undefined) await this.#found(run, severity, { input, answer })
    else if (second !== undefined) this.#compare(run, { input, answer }, second)
    const isRefused = input.recipe.length === 0 && answer.kind !== 'passed'
    if (isRefused || MAY_BE_LOST.has(answer.kind) || this.#since.length >= this.#probeEach)
      await this.#lookAfter(run)
  }

  #count({ recipe }: FuzzInput, { kind }: Answer): void {
    this.tally.runs += 1
    this.tally.counts[kind] += 1
    if (recipe.length === 0) this.tally.honest += 1
  }

  async #found(run: number, severity: Severity, hit: Hit): Promise<void> {
    const cause = causeOf(
      severity,
      hit.input.recipe,
      severity === 'false pass' ? hit.input.says() : [],
    )
    if (this.#repeats(cause)) return
    const { input, answer } = await minimise(this.#route, hit, severity, () => this.#stopped())
    const says = severity === 'false pass' ? input.says() : []
    const smallest = causeOf(severity, input.recipe, says)
    const known = this.#byCause.get(smallest)
    if (known !== undefined) {
      known.times += 1
      this.#byCause.set(cause, known)
      return
    }
    const told = says.map((one) => one.says).join(', and ')
    const mutated = describe(input, this.#route)
    const sentence =
      severity === 'false pass'
        ? `evidence that ${told} was taken as valid`
        : `evidence that ${mutated} was answered with ${answer.line}`
    this.#report({ run, severity, sentence, says, shots: [input], answer }, [cause, smallest])
  }

  #repeats(cause: string): boolean {
    const known = this.#byCause.get(cause)
    if (known !== undefined) known.times += 1
    return known !== undefined
  }

  /** Whether the same input got the same answer. */
  #compare(run: number, { input, answer }: Hit, second: Answer): void {
    if (second.line === answer.line || second.kind === 'busy') return
    const cause = `changed ${answer.line} ${second.line}`
    if (this.#repeats(cause)) return
    const mutated = describe(input, this.#route)
    const sentence = `evidence that ${mutated} was answered first with ${answer.line}, then with ${second.line}`
    const seen = { run, severity: 'changed answer' as const, sentence, says: [], answer: second }
    this.#report({ ...seen, shots: [input] }, [cause])
  }

  /** Sends honest evidence; when it is not answered right, looks which of the last requests is to blame. */
  async #lookAfter(run: number): Promise<void> {
    const suspects = this.#since
    this.#since = []
    const loss = await probe(this.#context, this.#route)
    if (loss === undefined) return
    const shots = loss.back ? await this.#blame(suspects) : suspects
    const what = shots.length === 1 ? 'one request' : `one of the last ${shots.length} requests`
    const back = loss.back ? 'it came back' : 'it did not come back'
    const sentence = `after ${what} the service was lost (${loss.wrong}); ${back}`
    const answer: Answer = { kind: 'no answer', line: loss.wrong, text: '' }
    const cause = `lost ${shots.flatMap(({ recipe }) => recipe.map((step) => step.mutation)).join(' ')}`
    if (!this.#repeats(cause)) {
      this.#report({ run, severity: 'lost service', sentence, says: [], shots, answer }, [cause])
    }
    this.#over ||= !loss.back
  }

  /** Sends the suspects again, each followed by an honest request. */
  async #blame(suspects: readonly FuzzInput[]): Promise<readonly FuzzInput[]> {
    if (suspects.length < 2 || this.#route.withBody === undefined) return suspects
    for (const input of suspects.toReversed()) {
      if (this.#stopped()) break
      await this.#route.send(input)
      if ((await probe(this.#context, this.#route)) !== undefined) return [input]
    }
    return suspects
  }

  #report(
    seen: Pick<Finding, 'run' | 'severity' | 'sentence' | 'says' | 'answer'> & {
      readonly shots: readonly FuzzInput[]
    },
    causes: readonly string[],
  ): void {
    const { kind, seed, target } = this.#options
    const { redact } = this.#context
    const cut = { ...seen.answer, text: redact(seen.answer.text.slice(0, 2000)) }
    const shots = seen.shots.map(({ recipe, body }): FoundInput => {
      return { recipe, body: redact(body) }
    })
    const head = {
      schema: 'assay.fuzz-finding/1' as const,
      kind,
      route: this.#route.name,
      seed,
      target,
    }
    const finding: Finding = { ...head, ...seen, shots, answer: cut, times: 1 }
    this.findings.push(finding)
    for (const cause of causes) this.#byCause.set(cause, finding)
    this.#over ||= this.findings.length >= MOST_FINDINGS
    this.#options.onFinding(finding)
  }
}

/** What a recipe does, in the words of its mutations. */
function describe({ recipe }: FuzzInput, { mutations }: Route): string {
  const whats = recipe.map((step) => mutations.find(({ id }) => id === step.mutation)?.what)
  return whats.filter((what) => what !== undefined).join(', and ') || 'is honest'
}
