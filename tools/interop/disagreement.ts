/** What was to be seen, and was not. */
export class Disagreement extends Error {
  readonly what: string
  readonly expected: string
  readonly received: string

  constructor(what: string, expected: string, received: string) {
    super(`${what}: expected ${expected}, received ${received}`)
    this.name = 'Disagreement'
    this.what = what
    this.expected = expected
    this.received = received
  }
}

/** Goes on when the two are the same. */
export function expectSame(what: string, expected: string, received: unknown): void {
  if (received !== expected) throw new Disagreement(what, expected, String(received))
}

/** Goes on when the text is in what was received. */
export function expectIn(what: string, expected: string, received: string): void {
  if (!received.includes(expected)) throw new Disagreement(what, expected, lastLines(received))
}

const SHOWN = 400

function lastLines(text: string): string {
  return text.trim().slice(-SHOWN)
}
