import { Command, CommanderError } from 'commander'
import { StartFault } from '../../errors.ts'

interface AdminOptions {
  readonly name: string
  readonly package: string
  readonly tlsDir?: string
  readonly config?: string
  readonly days: number
}

const MOST_DAYS = 3650

/** The options of `assay pki`, or undefined after printing the help. */
export function parsePkiOptions(argv: readonly string[]): AdminOptions | undefined {
  let given: AdminOptions | undefined
  const pki = new Command('assay pki')
    .description('issues certificates of the CA that a verifier made with tls_dir=generate')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  pki
    .command('admin')
    .copyInheritedSettings(pki)
    .description('makes a client certificate for one more administrator')
    .argument('<name>', 'common name of the certificate')
    .requiredOption(
      '--package <file>',
      'tar archive to write: certificate, key, certificate of the CA',
    )
    .option('--tls-dir <directory>', "directory of the CA; the verifier's own when left out")
    .option('--config <file>', "INI file, for the verifier's directory")
    .option('--days <number>', 'how long the certificate is valid', '365')
    .action((name: string, options: Omit<AdminOptions, 'name' | 'days'> & { days: string }) => {
      given = { ...options, name, days: daysOf(options.days) }
    })
  try {
    pki.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    const sentence = error.code === 'commander.help' ? 'what shall pki do?' : error.message
    throw new StartFault(
      sentence.replace(/^error: /, '').replace('\n', ' '),
      'assay pki admin --help lists the options',
    )
  }
  return given
}

function daysOf(text: string): number {
  const days = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : Number.NaN
  if (days <= MOST_DAYS) return days
  throw new StartFault(
    `--days is ${JSON.stringify(text)}: it takes a whole number from 1 to ${MOST_DAYS}`,
  )
}
