import { Command, InvalidArgumentError } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { KINDS, type Kind } from './inspection.ts'

export interface InspectOptions {
  readonly kind: Kind
  readonly files: readonly string[]
  readonly ak?: string
  readonly pcrs?: string
  readonly trust?: string
  /** Number of entries to show; Infinity for all. */
  readonly entries: number
  readonly json: boolean
}

const HELP = `
  quote      r…:…:… text, JSON of a push PATCH, or the parts: MESSAGE SIGNATURE [PCRS]
  attest     TPMS_ATTEST: the structure that a TPM signs
  signature  TPMT_SIGNATURE
  pcrs       PCR values as written by tpm2_quote -F serialized
  imalog     IMA measurement list, text or binary
  eventlog   firmware event log of TCG 1.2 or 2.0, of Windows (WBCL) or of a confidential guest (CCEL)
  policy     runtime policy, plain or in a signed envelope; measured boot reference state
  ekcert     endorsement key certificate: PEM, DER, base64, or the contents of its NV index

A file may contain raw bytes, base64 or hexadecimal; - is standard input.
Exit code: 0 decoded completely, 1 damaged or a comparison failed, 2 could not run.`

function readEntries(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a whole number, or all.')
}

function readKind(word: string): Kind {
  const kind = KINDS.find((each) => each === word)
  if (kind !== undefined) return kind
  throw new SetupFault(`unknown kind "${word}"`, { next: `use one of ${KINDS.join(', ')}` })
}

function command(): Command {
  return new Command('assay inspect')
    .description('decodes evidence field by field, explains it, and warns of irregularities')
    .argument('<kind>', KINDS.join(', '))
    .argument('<file...>', 'file to decode, or - for standard input')
    .option('--ak <file>', 'quote: public key that verifies the signature, TPM2B_PUBLIC or PEM')
    .option(
      '--pcrs <file>',
      'imalog, eventlog: PCR values, or a quote, to compare with the replayed values',
    )
    .option('--trust <file>', 'ekcert: trusted CA certificates in PEM')
    .option('--entries <number|all>', 'imalog, eventlog: entries to show', readEntries, 10)
    .option('--json', 'print JSON (reports/schema/inspect.schema.json)', false)
    .addHelpText('after', HELP)
}

/** Rejects an option that does not apply to the kind, because it would be ignored silently. */
function checkUse(
  kind: Kind,
  { ak, pcrs, trust }: Pick<InspectOptions, 'ak' | 'pcrs' | 'trust'>,
): void {
  if (trust !== undefined && kind !== 'ekcert') {
    throw new SetupFault(`--trust does not apply to inspect ${kind}`, {
      next: 'use assay inspect ekcert FILE --trust FILE',
    })
  }
  if (ak !== undefined && kind !== 'quote') {
    throw new SetupFault(
      `--ak does not apply to inspect ${kind}: verification needs message and signature`,
      {
        next: 'use assay inspect quote MESSAGE SIGNATURE --ak FILE',
      },
    )
  }
  if (pcrs !== undefined && kind !== 'imalog' && kind !== 'eventlog') {
    throw new SetupFault(`--pcrs does not apply to inspect ${kind}`, {
      next: 'use assay inspect imalog FILE --pcrs FILE',
    })
  }
}

/** Options of `assay inspect`; undefined if it printed the help. Throws a {@link SetupFault} for wrong arguments. */
export function parseInspectOptions(argv: readonly string[]): InspectOptions | undefined {
  const parsed = parse(command(), argv)
  if (parsed === undefined) return undefined
  const [word = '', ...files] = parsed.args
  const kind = readKind(word)
  const options = parsed.opts<Omit<InspectOptions, 'kind' | 'files'>>()
  checkUse(kind, options)
  return { kind, files, ...options }
}
