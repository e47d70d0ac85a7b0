import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { TARGETS, type Target } from './carried.ts'
import {
  cellOf,
  cellsOf,
  fill,
  HTTP_TABLE,
  type HttpRole,
  isAsked,
  type MethodRow,
} from './http-table.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const NO_EFFECT = 'HTTP-METHOD-NO-EFFECT'
const NO_ECHO = 'HTTP-TRACE-KEEPS-HEADERS'
const NO_FAULT = 'HTTP-NO-FAULT'

const MARK = 'assay-mark-5b1f'

/** Case 116: for an administrator too, only DELETE deletes. */
export function methodFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} deletes by DELETE only, regardless of override headers`,
    requirements: [NO_EFFECT, NO_ECHO, NO_FAULT],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    matrix: { name: 'http', cells: cellsOf(role, 'methods', HTTP_TABLE.methods) },
    async run(context) {
      const target = await TARGETS[role](context)
      for (const row of HTTP_TABLE.methods.filter(isAsked(context, role, 'methods')))
        await checkRow(context, role, target, row)
    },
  }))
}

async function checkRow(
  context: Context,
  role: HttpRole,
  target: Target,
  row: MethodRow,
): Promise<void> {
  const { check, observe, verifier, version } = context
  const cell = cellOf(role, 'methods', row.id, version)
  const bytes = [linesOf(row, target).join('\r\n')] // the defect
  const { first } = await verifier.client.raw({
    url: target.url,
    credentials: verifier.admin,
    bytes,
  })
  check(NO_FAULT, `the status of ${row.says}`, cell)
    .of(first.status)
    .matches('below 500, or 501, or none', (status = 0) => status < 500 || status === 501)
  check(NO_ECHO, `whether the answer to ${row.says} repeats a header of the request`, cell)
    .of(first.text.includes(MARK))
    .is(false)
  check(NO_EFFECT, `whether it still exists after ${row.says}`, cell)
    .of(await target.isThere())
    .is(true)
  observe(`methods.${row.id}`, row.says, first.status)
}

function linesOf({ line, header }: MethodRow, { path }: Target): readonly string[] {
  const headers = ['host: assay', 'connection: close', `x-mark: ${MARK}`, 'content-length: 0']
  return [fill(line, { path }), ...headers, ...(header === undefined ? [] : [header]), '', '']
}
