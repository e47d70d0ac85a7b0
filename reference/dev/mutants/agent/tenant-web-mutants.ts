import { TENANT_WEB_ROUTES, type TenantWebOperation } from '../../../api/routes/tenant-web.ts'
import { ApiError } from '../../../errors.ts'
import type { AddBody } from '../../../tenant/web/add-body.ts'
import { TENANT_WEB_RULES } from '../../../tenant/web/web-operations.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

const { parseAddBody, readLog } = TENANT_WEB_RULES

const absent = (operation: TenantWebOperation): Mutant => ({
  id: `tenant-web.${operation}-absent`,
  defect: 'an operation of the listing is not served',
  parts: { tenantWebRoutes: TENANT_WEB_ROUTES.filter((route) => route.operation !== operation) },
})

/** One that reads the body of an addition, and changes what it has read. */
const reading = (id: string, defect: string, change: (body: AddBody) => AddBody): Mutant => ({
  id: `tenant-web.${id}`,
  defect,
  parts: {
    tenantWebRules: { ...TENANT_WEB_RULES, parseAddBody: (body) => change(parseAddBody(body)) },
  },
})

const unused = (id: string, ...names: readonly (keyof AddBody)[]): Mutant =>
  reading(`${id}-unused`, 'a member of the body is not used', (body) => {
    const left = Object.entries(body).filter(([name]) => !names.some((one) => one === name))
    return { ...Object.fromEntries(left), ip: body.ip }
  })

const refused = (id: string, name: keyof AddBody): Mutant =>
  reading(`${id}-refused`, 'an optional member of the body is refused', (body) => {
    if (body[name] === undefined) return body
    throw new ApiError('malformed_request', `/${name}: is no member of this request`)
  })

const INCLUDED = ['include_dir_data', 'include_dir_name'] as const

/** Web applications that do not serve an operation of the listing, or do not use a member. */
export const TENANT_WEB_MUTANTS: readonly Mutant[] = [
  ...TENANT_WEB_ROUTES.filter(
    ({ operation, unversioned }) =>
      unversioned !== true && !['stop-agent', 'delete-agent'].includes(operation),
  ).map(({ operation }) => absent(operation)),
  reading('ip-unused', 'the address of an agent is not the one that the request gives', (body) => ({
    ...body,
    ip: 'localhost',
  })),
  unused('file', 'file_data', 'file_name'),
  refused('file-name', 'file_name'),
  unused('keyfile', 'keyfile_data', 'keyfile_name'),
  refused('keyfile-name', 'keyfile_name'),
  unused('ca', 'ca_dir', 'ca_dir_pw', ...INCLUDED),
  unused('ca-password', 'ca_dir_pw'),
  unused('include', ...INCLUDED),
  reading('include-renamed', 'included files get other names', (body) => ({
    ...body,
    ...(body.include_dir_name && {
      include_dir_name: [body.include_dir_name].flat().map((_, at) => `file-${at}`),
    }),
  })),
  {
    id: 'tenant-web.log-pos-unused',
    defect: 'a log is always shown from its beginning on',
    parts: {
      tenantWebRules: {
        ...TENANT_WEB_RULES,
        readLog: (log, call) => readLog(log, { ...call, query: {} }),
      },
    },
  },
  {
    id: 'tenant-web.log-pos-required',
    defect: 'a log is shown only from a given position on',
    parts: {
      tenantWebRules: {
        ...TENANT_WEB_RULES,
        readLog(log, call) {
          if ('pos' in call.query) return readLog(log, call)
          throw new ApiError('malformed_request', 'query parameter pos is missing')
        },
      },
    },
  },
]
