/** An unexpected result of an interop test. */
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

/** Throws a {@link Disagreement} if the values differ. */
export function expectSame(what: string, expected: string, received: unknown): void {
  if (received !== expected) throw new Disagreement(what, expected, String(received))
}

/** Throws a {@link Disagreement} if the received text does not contain the expected text. */
export function expectIn(what: string, expected: string, received: string): void {
  if (!received.includes(expected)) throw new Disagreement(what, expected, lastLines(received))
}

const SHOWN = 400

function lastLines(text: string): string {
  return text.trim().slice(-SHOWN)
}
