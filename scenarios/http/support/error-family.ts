import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { at, isSuccess, presentReply, type Reply } from '../../../conformance/attempt/reply.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, TARGETS } from './carried.ts'
import { sendBody } from './content-family.ts'
import type { HttpRole } from './http-table.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const NO_SUCCESS = 'HTTP-ERROR-NO-SUCCESS'
const NO_INTERNALS = 'HTTP-ERROR-TELLS-NOTHING'
const UNKNOWN = 'HTTP-PATH-UNKNOWN'
const ENVELOPE = { registrar: 'REG-ENVELOPE-ON-ERROR', verifier: 'VER-ENVELOPE-ON-ERROR' } as const

interface Wrong {
  readonly says: string
  readonly send: (context: Context, role: HttpRole) => Promise<Reply>
}

/** Defects that different parts of a component detect. */
const WRONG: readonly Wrong[] = [
  {
    says: 'half a body',
    send: async (context, role) => {
      const carried = CARRIERS[role](context)
      const body = JSON.stringify(carried.body).slice(0, -5)
      return (await sendBody(context.verifier.client, carried, JSON_TYPE, body)).first
    },
  },
  {
    says: 'an empty object',
    send: async (context, role) =>
      (await sendBody(context.verifier.client, CARRIERS[role](context), JSON_TYPE, '{}')).first,
  },
  {
    says: 'a number for each member',
    send: async (context, role) => {
      const carried = CARRIERS[role](context)
      const names = Object.keys(carried.body).filter((name) => name !== 'agent_id')
      const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
      return (await sendBody(context.verifier.client, carried, JSON_TYPE, body)).first
    },
  },
  {
    says: 'an unknown id',
    send: ({ registrar, verifier, random, version }, role) =>
      (role === 'registrar' ? registrar : verifier).get(`/v${version}/agents/${random.uuid()}`, {
        as: verifier.admin,
      }),
  },
]

const JSON_TYPE = ['content-type: application/json']

/** An error describes the problem and reveals no internals. */
export function errorFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} returns errors that carry no success value and reveal no internals (CVE-2023-38201)`,
    requirements: [NO_SUCCESS, NO_INTERNALS, UNKNOWN, ENVELOPE[role]],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    async run(context) {
      for (const { says, send } of WRONG) {
        const reply = await send(context, role) // the defect
        checkError(context, says, reply)
        context
          .check(ENVELOPE[role], `code in the answer to ${says}`)
          .of(at(reply.body, 'code'))
          .meets({
            'the envelope': (code) => code === reply.status,
            'another body': (code) => code === undefined,
          })
      }
      await checkUnknownPath(context, role)
      await checkNearPath(context, role)
    },
  }))
}

function checkError({ check }: Context, says: string, reply: Reply): void {
  check(NO_SUCCESS, `the answer to ${says}`)
    .of(reply)
    .matches('no success', (seen) => !isSuccess(seen))
  check(NO_SUCCESS, `code of its envelope, if it has one`)
    .of(at(reply.body, 'code'))
    .matches(
      'an error code, or none',
      (code = 400) => Number(code) >= 400 || Number.isNaN(Number(code)),
    )
  check(NO_INTERNALS, `internals revealed by the answer to ${says}`).of(internalsIn(reply)).is([])
}

/** Stack traces of several languages, and file system paths. */
const INSIDES: readonly RegExp[] = [
  /\n? +at .+:\d+:\d+/,
  /Traceback \(most recent call last\)/,
  /File "[^"]+", line \d+/,
  /panicked at /,
  /goroutine \d+ \[/,
  /\/(usr|home|opt|var|root|srv)\/[\w.-]+\//,
  /node_modules|site-packages/,
]

/** The patterns of internals that a reply has. */
export function internalsIn({ text }: Reply): readonly string[] {
  return INSIDES.filter((pattern) => pattern.test(text)).map(String)
}

async function checkUnknownPath(
  { check, registrar, verifier, random, version }: Context,
  role: HttpRole,
): Promise<void> {
  const component = role === 'registrar' ? registrar : verifier
  const path = `/v${version}/assay-${random.uuid()}`
  for (const method of ['GET', 'POST', 'DELETE']) {
    check(UNKNOWN, `${method} of a path that the document does not have`)
      .of(await component.get(path, { method, as: verifier.admin }))
      .matches('no success', (seen) => !isSuccess(seen))
  }
}

/** An administrator reads a resource by its own path only: text after a semicolon belongs to the name (RFC 3986, 3.3). */
async function checkNearPath(context: Context, role: HttpRole): Promise<void> {
  const { check, registrar, verifier } = context
  const component = role === 'registrar' ? registrar : verifier
  const { readPath } = await TARGETS[role](context)
  const get = (path: string) => component.get(path, { as: verifier.admin })
  const own = await get(readPath)
  if (!isSuccess(own))
    throw new PrerequisiteFailed({
      ...{ requirement: 'HTTP-PLAIN-SERVED', what: 'GET of the path of a resource' },
      ...{ expected: 'a success', received: presentReply(own) },
    })
  check(UNKNOWN, 'GET of the path of a resource with ;x=1 after its name')
    .of(await get(`${readPath};x=1`))
    .matches('no success', (seen) => !isSuccess(seen))
}
