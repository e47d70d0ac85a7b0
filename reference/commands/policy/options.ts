import { Command, CommanderError, Option } from 'commander'
import { StartFault } from '../../errors.ts'

export interface RuntimeOptions {
  readonly kind: 'runtime'
  readonly imaLog: string
  readonly exclude: readonly string[]
  readonly allow: readonly string[]
  readonly output?: string
}

export interface BootOptions {
  readonly kind: 'boot'
  readonly bootLog: string
  readonly output?: string
}

const BOOT_ENDINGS = `
The reference state lets pass what this machine booted, and no other firmware, key, kernel or command line: look at what
it booted before you trust it. \`other_files_plain_sha256\` lists what else the boot loader read, as no digest covers a file
name; add to it what differs from boot to boot, or delete it, and a kernel under another name is not found any more.
\`other_platform_firmware\` does so for what follows the firmware in PCR 0, as no digest covers the type of an event.
Without -o it goes to stdout. Exit code 0: written. 2: it could not be made.`

const ENDINGS = `
Every file, key and buffer of the list is allowed with the digest it has there: look at what a machine runs before you
trust it. Without -o the policy goes to stdout. Exit code 0: written. 2: it could not be made.`

/** The options of `assay policy …`, or undefined after printing the help. */
export function parsePolicyOptions(
  argv: readonly string[],
): RuntimeOptions | BootOptions | undefined {
  let given: RuntimeOptions | BootOptions | undefined
  const policy = new Command('assay policy')
    .description('derives policies from the measurements of a machine')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  policy
    .command('runtime')
    .copyInheritedSettings(policy)
    .description('makes a runtime policy under which an IMA list passes')
    .requiredOption('--ima-log <file>', 'ascii_runtime_measurements, or the binary list')
    .addOption(
      new Option('--exclude <expression>', 'excluded paths; may be repeated')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option('--allow <file>', 'more files, in lines as sha256sum writes them')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('-o, --output <file>', 'where the policy goes')
    .addHelpText('after', ENDINGS)
    .action((options: Omit<RuntimeOptions, 'kind'>) => {
      given = { kind: 'runtime', ...options }
    })
  policy
    .command('boot')
    .copyInheritedSettings(policy)
    .description('makes a measured boot reference state under which a firmware log passes')
    .requiredOption('--boot-log <file>', 'binary_bios_measurements, of a boot that was good')
    .option('-o, --output <file>', 'where the reference state goes')
    .addHelpText('after', BOOT_ENDINGS)
    .action((options: Omit<BootOptions, 'kind'>) => {
      given = { kind: 'boot', ...options }
    })
  try {
    policy.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    const sentence = error.code === 'commander.help' ? 'which policy shall be made?' : error.message
    throw new StartFault(
      sentence.replace(/^error: /, '').replace('\n', ' '),
      'assay policy runtime --help and assay policy boot --help list the options',
    )
  }
  return given
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
