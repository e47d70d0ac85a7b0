import { drawRecipe } from './draw.ts'
import type { Answer } from './findings/answer.ts'
import {
  causeOf,
  type Finding,
  type FoundShot,
  type Severity,
  severityOf,
} from './findings/finding.ts'
import { type Hit, minimise } from './findings/minimise.ts'
import { emptyTally, type Tally } from './findings/tally.ts'
import type { FuzzKind } from './kinds.ts'
import { probe } from './probe.ts'
import type { Room } from './room.ts'
import { aimed, type Route, type Shot } from './routes/route.ts'

export interface Limits {
  readonly runs: number
  readonly seconds: number
}

export interface CampaignOptions {
  readonly kind: FuzzKind
  readonly seed: string
  readonly target: string
  readonly limits: Limits
  /** Told after each run. */
  readonly onRun: (tally: Tally) => void
  readonly onFinding: (finding: Finding) => void
}

/** An honest request is sent after so many runs, and after every answer that may mean a fall. */
const PROBE_EACH = 25
/** One of so many is sent twice. */
const TWICE_EACH = 20
/** Beyond it a deployment is not tried further on that way: it is known to be broken. */
const MOST_FINDINGS = 25

/** One route's campaign: bend, send, judge, and see whether the service is still there. */
export class Campaign {
  readonly findings: Finding[] = []
  readonly tally: Tally
  readonly #room: Room
  readonly #route: Route
  readonly #options: CampaignOptions
  readonly #byCause = new Map<string, Finding>()
  /** Everything since the service was last seen to work. */
  #since: Shot[] = []
  #over = false

  constructor(room: Room, route: Route, options: CampaignOptions) {
    this.#room = room
    this.#route = route
    this.#options = options
    this.tally = emptyTally(route.name)
  }

  /** Runs until the runs or the seconds are over, the service is gone, or the person ends it. */
  async run(): Promise<void> {
    const { limits, seed } = this.#options
    const deadline = this.#room.environment.now() + limits.seconds * 1000
    for (let run = 0; run < limits.runs && !this.#isOver(deadline); run += 1) {
      await this.#one(run, drawRecipe(seed, this.#route.name, run, this.#route.mutations))
      if (!this.#stopped()) this.#options.onRun(this.tally)
    }
    if (!this.#over && !this.#stopped()) await this.#lookAfter(this.tally.runs)
  }

  #stopped(): boolean {
    return this.#room.environment.interrupted.aborted
  }

  #isOver(deadline: number): boolean {
    return this.#over || this.#stopped() || this.#room.environment.now() >= deadline
  }

  async #one(run: number, recipe: Shot['recipe']): Promise<void> {
    const shot = await aimed(this.#route, recipe)
    // What cannot even be prepared any more is for the honest request to find out.
    if (shot === undefined) return this.#lookAfter(run)
    this.#since.push(shot)
    const answer = await this.#route.fire(shot)
    // A request that the person's Ctrl-C has ended says nothing about the deployment.
    if (this.#stopped()) return
    this.#count(shot, answer)
    const severity = severityOf(answer, shot.says)
    if (severity !== undefined) await this.#found(run, severity, { shot, answer })
    else if (run % TWICE_EACH === 1) await this.#again(run, { shot, answer })
    const dishonoured = recipe.length === 0 && answer.kind !== 'passed'
    const fell = dishonoured || ['server error', 'no answer', 'cut off'].includes(answer.kind)
    if (fell || this.#since.length >= PROBE_EACH) await this.#lookAfter(run)
  }

  #count({ recipe }: Shot, { kind }: Answer): void {
    this.tally.runs += 1
    this.tally.counts[kind] += 1
    if (recipe.length === 0) this.tally.honest += 1
  }

  async #found(run: number, severity: Severity, hit: Hit): Promise<void> {
    const cause = causeOf(
      severity,
      hit.shot.recipe,
      severity === 'false pass' ? hit.shot.says() : [],
    )
    if (this.#repeats(cause)) return
    const { shot, answer } = await minimise(this.#route, hit, severity, () => this.#stopped())
    const says = severity === 'false pass' ? shot.says() : []
    const smallest = causeOf(severity, shot.recipe, says)
    const known = this.#byCause.get(smallest)
    if (known !== undefined) {
      known.times += 1
      this.#byCause.set(cause, known)
      return
    }
    const told = says.map((one) => one.says).join(', and ')
    const bent = describe(shot, this.#route)
    const sentence =
      severity === 'false pass'
        ? `evidence that ${told} was taken as valid`
        : `evidence that ${bent} was answered with ${answer.line}`
    this.#report({ run, severity, sentence, says, shots: [shot], answer }, [cause, smallest])
  }

  #repeats(cause: string): boolean {
    const known = this.#byCause.get(cause)
    if (known !== undefined) known.times += 1
    return known !== undefined
  }

  /** Whether the same input gets the same answer. */
  async #again(run: number, { shot, answer }: Hit): Promise<void> {
    if (this.#route.withBody === undefined || answer.kind === 'busy') return
    const second = await this.#route.fire(shot)
    if (this.#stopped() || second.line === answer.line || second.kind === 'busy') return
    const cause = `changed ${answer.line} ${second.line}`
    if (this.#repeats(cause)) return
    const bent = describe(shot, this.#route)
    const sentence = `evidence that ${bent} was answered first with ${answer.line}, then with ${second.line}`
    const seen = { run, severity: 'changed answer' as const, sentence, says: [], answer: second }
    this.#report({ ...seen, shots: [shot] }, [cause])
  }

  /** Sends honest evidence; when it is not answered right, looks which of the last requests is to blame. */
  async #lookAfter(run: number): Promise<void> {
    const suspects = this.#since
    this.#since = []
    const loss = await probe(this.#room, this.#route)
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
  async #blame(suspects: readonly Shot[]): Promise<readonly Shot[]> {
    if (suspects.length < 2 || this.#route.withBody === undefined) return suspects
    for (const shot of suspects.toReversed()) {
      if (this.#stopped()) break
      await this.#route.fire(shot)
      if ((await probe(this.#room, this.#route)) !== undefined) return [shot]
    }
    return suspects
  }

  #report(
    seen: Pick<Finding, 'run' | 'severity' | 'sentence' | 'says' | 'answer'> & {
      readonly shots: readonly Shot[]
    },
    causes: readonly string[],
  ): void {
    const { kind, seed, target } = this.#options
    const { redactor } = this.#room.environment
    const cut = { ...seen.answer, text: redactor.text(seen.answer.text.slice(0, 2000)) }
    const shots = seen.shots.map(({ recipe, body }): FoundShot => {
      return { recipe, body: redactor.text(body) }
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
function describe({ recipe }: Shot, { mutations }: Route): string {
  const whats = recipe.map((step) => mutations.find(({ id }) => id === step.mutation)?.what)
  return whats.filter((what) => what !== undefined).join(', and ') || 'is honest'
}
