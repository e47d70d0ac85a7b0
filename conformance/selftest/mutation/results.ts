import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Judgement } from './judge.ts'

/** Outcomes, from the best. */
const ORDER = ['caught', 'warned', 'survived', 'not reached']

/** Judgements in a file, one JSON object a line, so that a run that was ended can go on. */
export class Results {
  readonly #file: string
  readonly #known = new Map<string, Judgement>()

  constructor(file: string) {
    this.#file = file
    if (!existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const judgement: Judgement = JSON.parse(line)
      this.#known.set(judgement.key, judgement)
    }
  }

  get(key: string): Judgement | undefined {
    return this.#known.get(key)
  }

  /** Keeps a judgement, unless an earlier one of the same mutant found more. */
  addBetter(judgement: Judgement): void {
    const known = this.#known.get(judgement.key)
    if (known !== undefined && ORDER.indexOf(known.outcome) < ORDER.indexOf(judgement.outcome))
      return
    this.#known.set(judgement.key, judgement)
    mkdirSync(dirname(this.#file), { recursive: true })
    appendFileSync(this.#file, `${JSON.stringify(judgement)}\n`)
  }
}
