import { loadRequirements } from '../../conformance/catalogue/load-requirements.ts'
import type { CatalogueRow } from '../../conformance/catalogue/requirement.ts'
import { applies } from '../../conformance/catalogue/routes/operations.ts'
import { REQUEST_SCHEMAS } from '../../conformance/schemas/request-schemas.ts'
import { exampleOf } from './example-of.ts'
import { type OpenApiOperation, type OpenApiRole, operationsIn } from './operations.ts'
import { replySchema, type Schema } from './reply-schema.ts'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: Readonly<Record<string, string>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

/** Operations with another status than 200 when they succeed. */
const STATUSES: Readonly<Record<string, string>> = {
  'add-agent': '2XX',
  'create-policy': '2XX',
  'create-boot-policy': '2XX',
  'update-boot-policy': '2XX',
  'delete-policy': '2XX',
  'delete-boot-policy': '2XX',
  'delete-agent': '2XX',
  'create-session': '2XX',
  negotiate: '201',
  submit: '202',
  'submit-latest': '202',
}

/** Names of query parameters, with the required ones first. */
const QUERIES: Readonly<Record<string, { readonly needs: string[]; readonly may?: string[] }>> = {
  'verify-identity': { needs: ['agent_uuid', 'nonce', 'quote', 'hash_alg'] },
  verify: { needs: ['challenge'] },
  integrity: { needs: ['nonce', 'mask', 'partial'], may: ['ima_ml_entry'] },
  identity: { needs: ['nonce'] },
}

const TEXT = { type: 'string' }

/** Bodies that pull agents take; the harness sends them as a verifier and a tenant. */
const AGENT_BODIES: Readonly<Record<string, Schema>> = {
  vkey: { type: 'object', required: ['encrypted_key'], properties: { encrypted_key: TEXT } },
  ukey: {
    type: 'object',
    required: ['auth_tag', 'encrypted_key'],
    properties: { auth_tag: TEXT, encrypted_key: TEXT, payload: TEXT },
  },
}

/**
 * The interface of a component in a version as OpenAPI 3.1, from the route table, the request schemas and the field rows of
 * the harness. It allows what the document allows: members that it does not name, and each type of its readings.
 */
export function composeOpenApi(role: OpenApiRole, version: string): OpenApiDocument {
  const rows = loadRequirements()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const operation of operationsIn(role, version)) {
    const method = operation.method.toLowerCase()
    const presented = { [method]: presentOperation(operation, version, rows) }
    paths[operation.path] = { ...paths[operation.path], ...presented }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `Remote attestation, ${role}`,
      version,
      description:
        'Generated from the requirements of Assay. An operation that names an ambiguity may be absent.',
    },
    paths,
  }
}

function presentOperation(
  operation: OpenApiOperation,
  version: string,
  rows: readonly CatalogueRow[],
): Schema {
  const { operation: name, reply, lines, ambiguity, path } = operation
  const status = STATUSES[name] ?? '200'
  const schema = reply && replySchema(rows, reply, version)
  const body = bodyOf(name, version)
  const parameters = [...pathParameters(path), ...queryParameters(name)]
  return {
    operationId: name,
    description: `Interface document, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}.`,
    ...(ambiguity && { 'x-ambiguity': ambiguity }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      [status]: {
        description: 'The request succeeds.',
        ...(schema && {
          content: { 'application/json': { schema, example: exampleOf(schema) } },
        }),
      },
      '4XX': { description: 'The request is refused.' },
    },
  }
}

/** The body of a request in a version; undefined if it has none. */
function bodyOf(name: string, version: string): Schema | undefined {
  const ofLatest = name === 'submit-latest' ? 'submit' : name
  const row = REQUEST_SCHEMAS.find((one) => one.operation === ofLatest && applies(one, version))
  return row?.schema ?? AGENT_BODIES[name]
}

function pathParameters(path: string): readonly Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: TEXT },
  }))
}

function queryParameters(name: string): readonly Schema[] {
  const { needs = [], may = [] } = QUERIES[name] ?? {}
  return [...needs, ...may].map((parameter) => ({
    ...{ name: parameter, in: 'query', required: needs.includes(parameter), schema: TEXT },
  }))
}
