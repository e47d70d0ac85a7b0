import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { SetupFault } from './fault.ts'

/** Keys and indexes from the root of the file to a value. */
export type Path = readonly (string | number)[]

/** The data of a YAML file, with the position of each value. */
export interface YamlSource {
  /** Objects have no prototype, so that keys such as `__proto__` are ordinary keys. */
  readonly data: unknown
  /** `file:line:column` of the value at `path`, or of its key; of `text` inside the value, if given. */
  readonly placeOf: (path: Path, part?: 'key' | 'value', text?: string) => string
}

interface Span {
  readonly start: number
  readonly end: number
}

interface Reading {
  readonly spans: Map<string, Span>
  readonly fail: (offset: number, sentence: string) => never
}

function spanId(path: Path, part: 'key' | 'value'): string {
  return JSON.stringify([part, ...path.map(String)])
}

/** A path for messages: `roles.verifier.start.command[3]`; `the file` for the root. */
export function presentPath(path: Path): string {
  if (path.length === 0) return 'the file'
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
}

function spanOf(node: unknown): Span {
  const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : null
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 }
}

function readNode(node: unknown, path: Path, reading: Reading): unknown {
  reading.spans.set(spanId(path, 'value'), spanOf(node))
  if (isScalar(node)) return node.value
  if (isSeq(node)) return node.items.map((item, index) => readNode(item, [...path, index], reading))
  if (isMap(node)) return readMap(node.items, path, reading)
  if (isAlias(node)) {
    reading.fail(spanOf(node).start, `${presentPath(path)} is an alias: write the value itself`)
  }
  return null
}

function readMap(
  pairs: readonly { readonly key: unknown; readonly value: unknown }[],
  path: Path,
  reading: Reading,
): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null)
  for (const { key, value } of pairs) {
    if (!isScalar(key)) {
      reading.fail(spanOf(key).start, `${presentPath(path)} has a key that is not a string`)
    }
    const step = String(key.value)
    reading.spans.set(spanId([...path, step], 'key'), spanOf(key))
    data[step] = readNode(value, [...path, step], reading)
  }
  return data
}

function firstProblem(
  document: Document,
): { readonly at: number; readonly message: string } | undefined {
  const [problem] = [...document.errors, ...document.warnings]
  if (problem === undefined) return undefined
  return { at: problem.pos[0], message: problem.message.replace(/ at line [\s\S]*$/, '') }
}

/**
 * Reads YAML 1.2 with positions. Throws a {@link SetupFault} that starts with `file:line:column` if the text is not
 * YAML, repeats a key, or uses an alias: a target file needs none.
 */
export function parseYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true })
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const fail = (offset: number, sentence: string): never => {
    throw new SetupFault(`${place(offset)}: ${sentence}`, {
      code: 'D-TARGET-YAML',
      next: 'correct the file; assay init writes a new one',
    })
  }
  const problem = firstProblem(document)
  if (problem !== undefined) fail(problem.at, `not YAML: ${problem.message}`)

  const spans = new Map<string, Span>()
  const data = readNode(document.contents, [], { spans, fail })
  const placeOf: YamlSource['placeOf'] = (path, part = 'value', inside = '') => {
    const span = spans.get(spanId(path, part)) ?? { start: 0, end: text.length }
    const found = text.indexOf(inside, span.start)
    return place(found >= 0 && found < span.end ? found : span.start)
  }
  return { data, placeOf }
}
