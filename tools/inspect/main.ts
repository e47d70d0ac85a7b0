import picocolors from 'picocolors'
import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { wantsColour } from '../../conformance/report/progress.ts'
import { readTrust } from './certificate/compare-trust.ts'
import { inspectEkcert } from './certificate/inspect-ekcert.ts'
import { inspectEventlog } from './eventlog/inspect-eventlog.ts'
import { withHint } from './guess-kind.ts'
import { readImaSource } from './imalog/ima-source.ts'
import { inspectImalog } from './imalog/inspect-imalog.ts'
import { inspectPart } from './inspect-part.ts'
import type { Inspection, InspectionReport, Source } from './inspection.ts'
import { type InspectOptions, parseInspectOptions } from './options.ts'
import { inspectPolicy } from './policy/inspect-policy.ts'
import { presentInspection } from './present.ts'
import { inspectQuote } from './quote/inspect-quote.ts'
import { readPcrFile } from './quote/pcr-file.ts'
import { joinParts, readWholeQuote } from './quote/quote-source.ts'
import { readVerificationKey } from './quote/verification-key.ts'
import { type Given, readGiven } from './read-given.ts'
import { readBlob } from './text-forms.ts'

type Environment = Readonly<Record<string, string | undefined>>

const NARROWEST = 60
const WIDEST = 160
const WITHOUT_TERMINAL = 100

/**
 * `assay inspect KIND FILE…`; `argv[0]` is the verb. Returns 0 if every file was decoded completely and every comparison
 * holds, 1 if a file is damaged or a comparison fails. Throws a {@link SetupFault} for a file that cannot be read.
 */
export function main(
  [, ...argv]: readonly string[],
  stream: OutputStream = process.stdout,
  environment: Environment = process.env,
): number {
  const options = parseInspectOptions(argv)
  if (options === undefined) return 0
  const report = inspect(options)
  if (options.json) stream.write(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const colours = picocolors.createColors(wantsColour(stream, environment))
    const width = widthOf(stream, environment)
    for (const one of report.inspections)
      stream.write(`${presentInspection(one, { colours, width })}\n`)
  }
  return report.ok ? 0 : 1
}

function widthOf({ columns }: OutputStream, { COLUMNS = '' }: Environment): number {
  const wanted = columns ?? (/^\d{1,4}$/.test(COLUMNS) ? Number(COLUMNS) : WITHOUT_TERMINAL)
  return Math.min(WIDEST, Math.max(NARROWEST, wanted))
}

type Request = Omit<InspectOptions, 'files' | 'json'>

/** Decodes all files of the options. */
function inspect(options: InspectOptions): InspectionReport {
  return inspectGiven(
    options,
    options.files.map((file) => readGiven(file)),
  )
}

/** Decodes file contents. Throws a {@link SetupFault} if the key, PCR or trust file cannot be used. */
export function inspectGiven(options: Request, files: readonly Given[]): InspectionReport {
  const inspections = inspectFiles(options, files)
  const ok = inspections.every(
    ({ broken, comparisons }) =>
      broken.length === 0 && comparisons.every(({ holds }) => holds !== false),
  )
  return { schema: 'assay.inspect/1', ok, inspections }
}

function inspectFiles(options: Request, files: readonly Given[]): readonly Inspection[] {
  if (options.kind === 'quote') return inspectQuotes(options, files)
  const inspectOne = inspectorFor(options.kind, options)
  return files.map((given) => withHint(inspectOne(given), given.bytes))
}

function inspectorFor(
  kind: Exclude<Request['kind'], 'quote'>,
  { pcrs, entries, trust }: Request,
): (given: Given) => Inspection {
  if (kind === 'policy') return inspectPolicy
  if (kind === 'ekcert') return ekcertInspector(trust)
  if (kind !== 'imalog' && kind !== 'eventlog') return (given) => inspectPart(kind, given)
  const published = pcrs === undefined ? undefined : readPcrFile(readGiven(pcrs, '--pcrs'))
  if (kind === 'eventlog') return (given) => inspectEventlog(given, { entries, published })
  return (given) => {
    const source = readImaSource(given)
    return inspectImalog(source, [sourceOf(given, source.form)], { entries, published })
  }
}

function ekcertInspector(file: string | undefined): (given: Given) => Inspection {
  const trust = file === undefined ? undefined : readTrust(readGiven(file, '--trust'), Date.now())
  return (given) => inspectEkcert(given, trust)
}

/** Each file with a whole quote is one inspection; the other files together are the parts of one quote. */
function inspectQuotes({ ak }: Request, files: readonly Given[]): readonly Inspection[] {
  const key = ak === undefined ? undefined : readVerificationKey(readGiven(ak, '--ak'))
  const read = files.map((given) => ({ given, quote: readWholeQuote(given) }))
  const parts = read.flatMap(({ given, quote }) => (quote === undefined ? [given] : []))
  const whole = read.flatMap(({ given, quote }) => {
    if (quote === undefined) return []
    const one = inspectQuote(quote, [sourceOf(given, quote.form)], key)
    return [withHint(one, given.bytes)]
  })
  const [first] = parts
  if (first === undefined) return whole
  const together = inspectQuote(joinParts(parts), parts.map(partSource), key)
  return [...whole, withHint(together, first.bytes)]
}

function sourceOf({ file, bytes }: Given, form: string): Source {
  return { file, form, length: bytes.length }
}

function partSource(given: Given): Source {
  return sourceOf(given, readBlob(given.bytes).form)
}
