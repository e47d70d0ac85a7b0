import { Command, CommanderError, Option } from 'commander'
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
Nothing is sent anywhere: the verdict and the failures are those of POST verify/evidence.

With --batch in place of the evidence, each line of standard input is a JSON body of POST verify/evidence, and each line of
standard output the answer to it, in this order: assay verify-evidence --batch --help.`

const BATCH_ENDINGS = `
A line of standard input is a JSON body of POST verify/evidence; policies and lists are texts in it. Each is answered by one line of
JSON (reports/schema/verify-evidence-batch.schema.json), in the same order: the verdict, or "error" with the reason if the
line is not JSON, lacks a member or is longer than 16 MiB. The next line is read all the same.

Exit code 0: the input has ended. 2: a setting could not be read, or the evaluation itself failed.`

interface BatchOptions {
  /** False for evaluations that may take any time. */
  readonly limit: boolean
  readonly config?: string
  readonly set: readonly string[]
}

/** The options that count for one piece of evidence as for many. */
function withSettings(command: Command): Command {
  return command
    .option('--config <file>', 'INI file of the verifier whose settings count')
    .addOption(
      new Option('--set <name=value>', 'one setting of the verifier, over the file')
        .argParser(collect)
        .default([], 'none'),
    )
}

function batchCommand(): Command {
  const command = new Command('assay verify-evidence --batch')
    .description('evaluates each line of standard input, without a network')
    .option('--batch', 'this mode')
    .option('--no-limit', 'lets an evaluation take any time, whatever evaluation_limit is')
  return withSettings(command).addHelpText('after', BATCH_ENDINGS)
}

function evidenceCommand(): Command {
  const command = new Command('assay verify-evidence')
    .description('evaluates a quote with its logs and policies, without a network')
    .requiredOption('--nonce <text>', 'what the quote was asked for, as text or as its base64')
    .requiredOption('--quote <file|text>', 'r…:…:… (message, signature, PCR values), or its file')
    .requiredOption('--ak <file>', 'attestation key: TPM2B_PUBLIC (raw or base64) or PEM')
    .option('--hash-alg <name>', 'hash of the signature, and PCR bank', 'sha256')
    .option('--ima <file>', 'IMA list as text: ascii_runtime_measurements')
    .option('--policy <file>', 'runtime policy (JSON): which files may have been measured')
    .option('--tpm-policy <file|text>', 'JSON: PCR number -> list of allowed values')
    .option('--mb-log <file>', 'firmware log: binary_bios_measurements')
    .option('--mb-policy <file>', 'measured boot policy (JSON); it makes the log mandatory')
    .option('--batch', 'evaluates each line of standard input; see below')
    .option('--json', 'prints the verdict as JSON (reports/schema/verify-evidence.schema.json)')
  return withSettings(command).addHelpText('after', ENDINGS)
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
  return parsed<EvidenceOptions>(evidenceCommand(), argv)
}

/** The same of `assay verify-evidence --batch`. */
export function parseBatchOptions(argv: readonly string[]): BatchOptions | undefined {
  return parsed<BatchOptions>(batchCommand(), argv)
}

function parsed<Options extends object>(
  command: Command,
  argv: readonly string[],
): Options | undefined {
  const words = command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined })
  try {
    return words.parse(argv, { from: 'user' }).opts<Options>()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw new StartFault(
      error.message.replace(/^error: /, '').replace('\n', ' '),
      `${command.name()} --help lists the options`,
    )
  }
}
