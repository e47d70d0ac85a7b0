import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { packageRoot } from '../../input/package-root.ts'

const detailOf = ({ keyword, params }: ErrorObject): string => {
  switch (keyword) {
    case 'additionalProperties':
      return `: ${params['additionalProperty']}`
    case 'enum':
      return `: ${params['allowedValues'].join(', ')}`
    case 'const':
      return `: ${params['allowedValue']}`
    default:
      return ''
  }
}

/** A file of `reports/schema`, compiled at its first use, since most verbs read no report. */
export class PublishedSchema<Shape> {
  readonly #file: string
  #compiled: ValidateFunction<Shape> | undefined

  constructor(file: string) {
    this.#file = join(packageRoot(), 'reports', 'schema', file)
  }

  fits(value: unknown): value is Shape {
    this.#compiled ??= new Ajv2020({ strict: true }).compile<Shape>(
      JSON.parse(readFileSync(this.#file, 'utf8')),
    )
    return this.#compiled(value)
  }

  /**
   * The problem of the last value with its place: `at /totals: it must be object`. For a choice of shapes ajv reports
   * every branch first; the last error is the choice itself.
   */
  problem(): string {
    const last = this.#compiled?.errors?.at(-1)
    if (last === undefined) return 'at /'
    return `at ${last.instancePath || '/'}: it ${last.message}${detailOf(last)}`
  }
}
