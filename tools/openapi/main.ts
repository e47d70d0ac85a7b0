import { Command, InvalidArgumentError, Option } from 'commander'
import { API_VERSIONS } from '../../conformance/catalogue/requirement.ts'
import { reasonOfSystem, SetupFault } from '../../conformance/input/fault.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { composeOpenApi, type OpenApiDocument } from './compose-openapi.ts'
import { mockServer } from './mock.ts'
import { OPENAPI_ROLES, type OpenApiRole } from './operations.ts'

interface Chosen {
  readonly role: OpenApiRole
  readonly version: string
  readonly out?: string
  readonly port: number
}

function command(name: string, description: string): Command {
  return new Command(`assay ${name}`)
    .description(description)
    .addOption(
      new Option('--role <role>', 'the component').choices(OPENAPI_ROLES).makeOptionMandatory(),
    )
    .addOption(
      new Option('--version <version>', 'API version').choices(API_VERSIONS).makeOptionMandatory(),
    )
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('expected a port from 0 to 65535; 0 is any free one.')
}

/** `assay openapi` and `assay mock`; `argv[0]` is the verb. */
export function main([verb, ...argv]: readonly string[]): Promise<number> {
  return verb === 'mock' ? mock(argv) : openapi(argv)
}

async function openapi(argv: readonly string[]): Promise<number> {
  const parsed = parse(
    command('openapi', 'prints the interface of a component as OpenAPI 3.1').option(
      '--out <file>',
      'writes it to a file',
    ),
    argv,
  )
  if (parsed === undefined) return 0
  const { out, ...choice } = parsed.opts<Chosen>()
  const text = `${JSON.stringify(documentOf(choice), null, 2)}\n`
  if (out === undefined) process.stdout.write(text)
  else await write(out, text)
  return 0
}

/** @throws {SetupFault} if the component has no operation in that version */
function documentOf({ role, version }: Pick<Chosen, 'role' | 'version'>): OpenApiDocument {
  const document = composeOpenApi(role, version)
  if (Object.keys(document.paths).length > 0) return document
  throw new SetupFault(`the ${role} has no operation in version ${version}`, {
    next: 'name a version in which it has some, such as --version 2.5',
  })
}

async function write(file: string, text: string): Promise<void> {
  await writeAtomically(file, text).catch((cause: unknown) => {
    throw new SetupFault(`cannot write ${file}: ${reasonOfSystem(cause)}`, {
      next: 'name another file with --out',
      cause,
    })
  })
  process.stdout.write(`wrote ${file}\n`)
}

async function mock(argv: readonly string[]): Promise<number> {
  const parsed = parse(
    command(
      'mock',
      'serves the examples of assay openapi on loopback without TLS, and checks requests; Ctrl-C ends it',
    ).option('--port <port>', 'port; 0 is any free one', readPort, 0),
    argv,
  )
  if (parsed === undefined) return 0
  const { port, ...choice } = parsed.opts<Chosen>()
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const server = mockServer(documentOf(choice), { version: choice.version, onRequest: say })
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    say(`${choice.role} ${choice.version} at ${await server.listen({ host: '127.0.0.1', port })}`)
  } catch (cause) {
    throw new SetupFault(`cannot listen on port ${port}: ${reasonOfSystem(cause)}`, {
      next: 'name another one with --port, or leave it out',
      cause,
    })
  }
  await ended
  await server.close()
  return 0
}
