import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { at } from '../../conformance/attempt/reply.ts'
import { API_VERSIONS } from '../../conformance/catalogue/requirement.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { composeOpenApi, type OpenApiDocument } from './compose-openapi.ts'
import { OPENAPI_ROLES } from './operations.ts'

const DOCUMENTS = OPENAPI_ROLES.flatMap((role) =>
  API_VERSIONS.map((version) => ({ role, version, document: composeOpenApi(role, version) })),
).filter(({ document }) => Object.keys(document.paths).length > 0)

/** `GET /agents/:agent_id` for each operation, without the prefix of the version; `optional` ones name an ambiguity. */
function routesOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const below = path.replace(/^\/v\d(\.\d)?(?=\/)/, '').replaceAll(/\{(\w+)\}/g, ':$1')
      const plain = below.replace(/\/latest$/, '/:index').replace(/(?<=.)\/$/, '')
      return {
        route: `${method.toUpperCase()} ${plain}`,
        isOptional: operation['x-ambiguity'] !== undefined,
      }
    }),
  )
}

/** What the reference serves beyond the document: names in use, and the revocations of a pull agent. */
const BEYOND = [
  /^\w+ \/allowlists?\/:name$/,
  /^GET \/(agents|mbpolicies|versions?|)$/,
  /^PUT \/agents\/:agent_id$/,
  /^POST \/notifications\/revocation$/,
]

describe.each(DOCUMENTS)('$role $version', ({ document }) => {
  test('is valid to two validators that share no code', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const schema = 'https://spec.openapis.org/oas/3.1/schema-base'
    const output = await validate(schema, JSON.parse(JSON.stringify(document)), 'BASIC')
    expect(output).toMatchObject({ valid: true })
  })

  test('has examples that its schemas allow', () => {
    const ajv = new Ajv2020({ strict: false })
    const answers = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) =>
        Object.values(Object(operation['responses'])).flatMap((response) => {
          const content = at(response, 'content', 'application/json')
          return content === undefined ? [] : [{ id: operation['operationId'], content }]
        }),
      ),
    )
    const wrong = answers.filter(
      ({ content }) => !ajv.validate(Object(at(content, 'schema')), at(content, 'example')),
    )
    expect(wrong).toEqual([])
  })
})

describe('beside the route table of the reference', () => {
  let served: Readonly<Record<string, readonly string[]>> = {}

  beforeAll(async () => {
    const words = ['bin/dev.js', 'reference/dev/print-routes.ts']
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: packageRoot() })
    served = JSON.parse(stdout)
  })

  test.each(DOCUMENTS)('$role $version has the same operations', ({ role, version, document }) => {
    const own = routesOf(document)
    const theirs = served[`${role} ${version}`] ?? []
    const missing = own.filter(({ route, isOptional }) => !isOptional && !theirs.includes(route))
    expect(missing).toEqual([])
    const known = own.map(({ route }) => route)
    const more = theirs.filter((route) => !known.includes(route))
    expect(more.filter((route) => !BEYOND.some((one) => one.test(route)))).toEqual([])
  })
})
