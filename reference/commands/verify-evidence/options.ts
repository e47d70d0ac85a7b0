import { Command, CommanderError } from 'commander'
import { StartFault } from '../../errors.ts'

export interface EvidenceOptions {
  readonly nonce: string
  readonly quote: string
  readonly ak: string
  readonly hashAlg: string
  readonly ima?: string
  readonly policy?: string
  readonly tpmPolicy?: string
  readonly mbLog?: string
  readonly mbPolicy?: string
  readonly config?: string
  readonly set: readonly string[]
  readonly json?: true
}

const ENDINGS = `
Exit code 0: valid. 1: not valid. 2: it could not be judged, and one sentence says why.
Nothing is sent anywhere: the verdict and the failures are those of POST verify/evidence.`

function command(): Command {
  return new Command('assay verify-evidence')
    .description('judges a quote, and the logs and policies beside it, without a network')
    .requiredOption('--nonce <text>', 'what the quote was asked for, as text or as its base64')
    .requiredOption('--quote <file|text>', 'r…:…:… (message, signature, PCR values), or its file')
    .requiredOption('--ak <file>', 'attestation key: TPM2B_PUBLIC (raw or base64) or PEM')
    .option('--hash-alg <name>', 'hash of the signature, and PCR bank', 'sha256')
    .option('--ima <file>', 'IMA list as text: ascii_runtime_measurements')
    .option('--policy <file>', 'runtime policy (JSON): which files may have been measured')
    .option('--tpm-policy <file|text>', 'JSON: PCR number -> list of allowed values')
    .option('--mb-log <file>', 'firmware log: binary_bios_measurements')
    .option('--mb-policy <file>', 'measured boot policy (JSON); it makes the log mandatory')
    .option('--config <file>', 'INI file of the verifier whose settings count')
    .option('--set <name=value>', 'one setting of the verifier, over the file', collect, [])
    .option('--json', 'prints the verdict as JSON (reports/schema/verify-evidence.schema.json)')
    .addHelpText('after', ENDINGS)
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/**
 * Options of `assay verify-evidence`; undefined when the person asked for help and got it.
 *
 * @throws {StartFault} for an option that is unknown or missing
 */
export function parseEvidenceOptions(argv: readonly string[]): EvidenceOptions | undefined {
  const words = command()
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  try {
    return words.parse(argv, { from: 'user' }).opts<EvidenceOptions>()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new StartFault(
      error.message.replace(/^error: /, ''),
      'assay verify-evidence --help lists the options',
    )
  }
}
