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
  /** Infinity for all. */
  readonly entries: number
  readonly json: boolean
}

const HELP = `
  quote      r…:…:… text, JSON of a push PATCH, or its parts: MESSAGE SIGNATURE [PCRS]
  attest     TPMS_ATTEST: the statement that a TPM signs
  signature  TPMT_SIGNATURE
  pcrs       PCR values as tpm2_quote -F serialized writes them
  imalog     IMA list, text or binary
  eventlog   firmware log of TCG 1.2 or 2.0, also of Windows (WBCL) and of a confidential guest (CCEL)
  policy     runtime policy, also in a signed envelope
  ekcert     certificate of an endorsement key: PEM, DER, base64, or what its NV index holds

A file may be raw bytes, base64 or hexadecimal; - is standard input.
Exit code 0: read to the end. 1: damaged, or a comparison does not hold. 2: not read.`

function readEntries(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number, or all.')
}

function readKind(word: string): Kind {
  const kind = KINDS.find((each) => each === word)
  if (kind !== undefined) return kind
  throw new SetupFault(`inspect knows no ${word}`, { next: `use one of ${KINDS.join(', ')}` })
}

function command(): Command {
  return new Command('assay inspect')
    .description('decodes evidence, byte by byte, for someone who has never seen it')
    .argument('<kind>', KINDS.join(', '))
    .argument('<file...>', 'what to decode')
    .option('--ak <file>', 'quote: the key to verify it with, TPM2B_PUBLIC or PEM')
    .option(
      '--pcrs <file>',
      'imalog, eventlog: PCR values, or a quote, to hold the replayed ones against',
    )
    .option('--trust <file>', 'ekcert: certificates of makers to look for a path to, in PEM')
    .option('--entries <number|all>', 'imalog, eventlog: how many entries to show', readEntries, 10)
    .option('--json', 'print the same as JSON (reports/schema/inspect.schema.json)', false)
    .addHelpText('after', HELP)
}

/** Which kinds an option is for; given with another it would be ignored, and that is worse than a fault. */
function checkUse(
  kind: Kind,
  { ak, pcrs, trust }: Pick<InspectOptions, 'ak' | 'pcrs' | 'trust'>,
): void {
  if (trust !== undefined && kind !== 'ekcert') {
    throw new SetupFault(`--trust is no option of inspect ${kind}`, {
      next: 'assay inspect ekcert FILE --trust FILE',
    })
  }
  if (ak !== undefined && kind !== 'quote') {
    throw new SetupFault(
      `--ak is no option of inspect ${kind}: a key verifies a signature over its message`,
      {
        next: 'assay inspect quote MESSAGE SIGNATURE --ak FILE',
      },
    )
  }
  if (pcrs !== undefined && kind !== 'imalog' && kind !== 'eventlog') {
    throw new SetupFault(`--pcrs is no option of inspect ${kind}`, {
      next: 'assay inspect imalog FILE --pcrs FILE',
    })
  }
}

/** Options of `assay inspect`; undefined when the person asked for help and got it. Throws SetupFault for wrong words. */
export function parseInspectOptions(argv: readonly string[]): InspectOptions | undefined {
  const parsed = parse(command(), argv)
  if (parsed === undefined) return undefined
  const [word = '', ...files] = parsed.args
  const kind = readKind(word)
  const options = parsed.opts<Omit<InspectOptions, 'kind' | 'files'>>()
  checkUse(kind, options)
  return { kind, files, ...options }
}
