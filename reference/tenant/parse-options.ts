import { Command, CommanderError, Option } from 'commander'
import { COMMANDS, type CommandName } from './commands.ts'
import type { TenantOptions } from './options.ts'
import { TenantFault } from './tenant-fault.ts'

/** A parsed command line. */
export interface Invocation {
  readonly command: CommandName
  readonly options: TenantOptions
}

/** Upstream's default agent id. */
const DEFAULT_AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** Short options of two letters, and older or other spellings, as they are called here. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['-tp', '--targetport'],
  ['-vp', '--cvport'],
  ['-vi', '--cvid'],
  ['-rp', '--registrarport'],
  ['-nvc', '--no-verifier-check'],
  ['--tpm-policy', '--tpm_policy'],
  ['--mb_refstate', '--mb-policy'],
  ['--allowlist', '--runtime-policy'],
  ['--allowlist-name', '--runtime-policy-name'],
  ['--allowlist-checksum', '--runtime-policy-checksum'],
  ['--allowlist-sig-key', '--runtime-policy-sig-key'],
  ['--supported-version', '--agent-api-version'],
])

/**
 * Reads the words behind `assay tenant`; undefined after printing the help. The command is the first
 * word, or follows `-c` as in upstream; without one it is `add`, as upstream has it too.
 *
 * @throws {TenantFault} `usage`
 */
export function parseTenantOptions(argv: readonly string[]): Invocation | undefined {
  const words = argv.map((word) => SPELLINGS.get(word) ?? word)
  try {
    const parsed = program().parse(words, { from: 'user' })
    const { command, ...options } = parsed.opts<TenantOptions & { readonly command?: string }>()
    return { command: commandNamed(parsed.args[0], command), options }
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed') return undefined
    throw usage(error.message.replace(/^error: /, '').replace('\n', ' '))
  }
}

function commandNamed(first: string | undefined, behindC: string | undefined): CommandName {
  if (first !== undefined && behindC !== undefined && first !== behindC)
    throw usage(`two commands are given: ${first} and ${behindC}`)
  const word = first ?? behindC ?? 'add'
  const name = OTHER_NAMES.get(word) ?? word
  if (isCommand(name)) return name
  throw usage(`${word} is no command of the tenant`)
}

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['addallowlist', 'addruntimepolicy'],
  ['showallowlist', 'showruntimepolicy'],
  ['listruntimepolicy', 'listruntimepolicies'],
  ['listmbpolicy', 'listmbpolicies'],
  ['deleteallowlist', 'deleteruntimepolicy'],
])

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

function usage(sentence: string): TenantFault {
  return new TenantFault('usage', sentence, 'assay tenant --help lists commands and options')
}

function program(): Command {
  return new Command('assay tenant')
    .description('manages agents and policies as an administrator')
    .argument('[command]', 'what to do; see below')
    .allowExcessArguments(false)
    .addOption(new Option('-c, --command <command>', 'the same, as an option'))
    .option('-u, --uuid <id>', 'the agent', DEFAULT_AGENT)
    .option('-t, --targethost <host>', "the agent's address, else the registrar's knowledge")
    .option('--targetport <port>', 'its port')
    .option('-v, --cv <host>', 'the verifier (setting verifier_ip)')
    .option('--cvport <port>', 'its port (setting verifier_port)')
    .option('--cvid <id>', 'its name, where several share a database')
    .option('--cv_targethost <host>', "the verifier's address as agents see it")
    .option('-r, --registrarhost <host>', 'the registrar (setting registrar_ip)')
    .option('--registrarport <port>', 'its port (setting registrar_port)')
    .option('-f, --file <file>', 'payload for the agent; it leaves here encrypted')
    .option(
      '--cert <directory>',
      'payload: a client certificate for the agent, of the CA there, which is created if missing',
    )
    .option('--include <directory>', 'its files too, such as autorun.sh')
    .option(
      '-k, --key <file>',
      'keys of a payload that is encrypted: K, V and U in base64, a line each',
    )
    .option('-p, --payload <file>', 'that payload, in base64')
    .option('--runtime-policy <file>', 'runtime policy (JSON)')
    .option('--runtime-policy-name <name>', 'its name at the verifier')
    .option('--runtime-policy-checksum <sha256>', 'expected hash of the file')
    .option('--runtime-policy-sig-key <file>', 'key that a signed policy verifies under')
    .option('--mb-policy <file>', 'measured boot policy (JSON)')
    .option('--mb-policy-name <name>', 'its name at the verifier')
    .option('--tpm_policy <json>', '{"PCR": ["digest"]}, as text')
    .option('--no-verify', 'do not wait until the agent has proven that it has the key')
    .addOption(new Option('--verify', 'wait for it, which is the default').hideHelp())
    .option('--no-verifier-check', 'do not ask whether the named verifier has the agent')
    .option('--agent-api-version <version>', 'use this version with the agent')
    .option('--push-model', 'a push agent: do not contact it')
    .option('--config <file>', 'INI file, for its section [tenant]')
    .addOption(
      new Option('--set <name=value>', 'one setting, over the file')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--json', 'prints one JSON object (reports/schema/tenant.schema.json)')
    .addHelpText('after', `\nCommands:\n${describeCommands()}\n${ENDINGS}`)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
}

const ENDINGS = `
assay tenant web runs the web application (assay tenant web --help).

Exit code 0: done. 1: refused, or not found. 2: no server could be reached, or bad usage.`

function describeCommands(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  return Object.entries(COMMANDS)
    .map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
    .join('\n')
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
