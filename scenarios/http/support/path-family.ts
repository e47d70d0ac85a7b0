import { isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import { ANONYMOUS } from '../../../conformance/client/identity.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { TARGETS, type Target } from './carried.ts'
import {
  cellOf,
  cellsOf,
  fill,
  HTTP_TABLE,
  type HttpRole,
  isAsked,
  type PathRow,
} from './http-table.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const GUARDED = 'HTTP-PATH-GUARDED'
const NO_FAULT = 'HTTP-NO-FAULT'

/** Case 118: no spelling of an administrator path is open to a client without a certificate. */
export function pathFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} requires a certificate for every spelling of an administrator path (CVE-2026-1709)`,
    requirements: [GUARDED, NO_FAULT],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    matrix: { name: 'http', cells: cellsOf(role, 'paths', HTTP_TABLE.paths) },
    async run(context) {
      const target = await TARGETS[role](context)
      for (const row of HTTP_TABLE.paths.filter(isAsked(context, role, 'paths')))
        await checkRow(context, role, target, row)
    },
  }))
}

async function checkRow(
  { check, observe, verifier, version }: Context,
  role: HttpRole,
  target: Target,
  { id, says, target: odd }: PathRow,
): Promise<void> {
  const cell = cellOf(role, 'paths', id, version)
  const send = async (method: string, credentials = ANONYMOUS): Promise<Reply> => {
    const line = `${method} ${fill(odd, placesOf(target))} HTTP/1.1` // the defect
    const bytes = [`${line}\r\nhost: assay\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`]
    return (await verifier.client.raw({ url: target.url, credentials, bytes })).first
  }
  for (const reply of [await send('DELETE'), await send('GET')]) {
    check(GUARDED, `an anonymous request with ${says}`, cell)
      .of(reply)
      .matches('no success', (seen) => !isSuccess(seen))
    check(NO_FAULT, `the status of ${says}`, cell)
      .of(reply.status)
      .matches('below 500, or none', (status = 0) => status < 500)
  }
  check(GUARDED, `whether it still exists after ${says}`, cell)
    .of(await target.isThere())
    .is(true)
  observe(`paths.${id}`, `${says}, by an administrator`, (await send('GET', verifier.admin)).status)
}

function placesOf({ path }: Target): Readonly<Record<string, string>> {
  const [, prefix = '', rest = ''] = /^(\/v[\d.]+)\/(.*)$/.exec(path) ?? []
  const [major = '', minor = ''] = prefix.slice(2).split('.')
  const upper = rest.replace(/^[a-z]+/, (word) => word.toUpperCase())
  return { path, prefix, rest, major, minor, upper, filler: 'x'.repeat(8000) }
}
