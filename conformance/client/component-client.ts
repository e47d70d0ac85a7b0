import { NotApplicable } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import {
  applies,
  compareVersions,
  fillPath,
  isSpoken,
  type OperationRow,
} from '../catalogue/routes/operations.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { checkRequest } from '../schemas/check-request.ts'
import type { Exchange, HttpsClient, Repeated } from './https-client.ts'
import { ANONYMOUS, type Credentials } from './identity.ts'

export interface CallOptions extends Pick<Exchange, 'body' | 'headers' | 'socket' | 'tls'> {
  readonly as?: Credentials
  readonly params?: Readonly<Record<string, string>>
  /** Query string without the question mark, already encoded. */
  readonly query?: string
  /** Describes an intended deviation from the harness's request schema. */
  readonly defect?: string
}

export interface ComponentOptions {
  /** Undefined if the target file names no such component. */
  readonly url: string | undefined
  readonly client: HttpsClient
  /** The version under test. */
  readonly version: string
  /** The versions in the target file. */
  readonly versions: readonly string[]
  readonly dialect: Dialect
  /** Path prefix of a version at this component. */
  readonly prefixOf: (version: string) => string
  /** Media type of request bodies in a version. Default `application/json`. */
  readonly mediaTypeOf?: (version: string) => string
}

/** Client of one component of the deployment: one method call per operation, in the version under test. */
export class ComponentClient<Row extends OperationRow> {
  readonly client: HttpsClient
  readonly dialect: Dialect
  readonly #component: string
  readonly #rows: readonly Row[]
  readonly #options: ComponentOptions

  constructor(component: string, rows: readonly Row[], options: ComponentOptions) {
    this.#component = component
    this.#rows = rows
    this.#options = options
    this.client = options.client
    this.dialect = options.dialect
  }

  /** Whether the target file names the component. */
  get isNamed(): boolean {
    return this.#options.url !== undefined
  }

  /** Scheme, host and port. @throws {NotApplicable} if the target file does not name the component */
  get url(): string {
    const { url } = this.#options
    if (url === undefined) throw new NotApplicable(`the target file names no ${this.#component}`)
    return url
  }

  call(operation: Row['operation'], options: CallOptions = {}): Promise<Reply> {
    return this.client.exchange(this.#exchangeOf(operation, options))
  }

  /** Repeats one call; see `HttpsClient.repeat`. */
  repeat(
    operation: Row['operation'],
    options: CallOptions,
    until: (sent: number) => boolean,
  ): Promise<Repeated> {
    return this.client.repeat(this.#exchangeOf(operation, options), until)
  }

  /** Requests any path of this component. */
  get(path: string, options: CallOptions & { readonly method?: string } = {}): Promise<Reply> {
    return this.client.exchange(this.#exchangeAt(path, options))
  }

  #exchangeOf(operation: Row['operation'], options: CallOptions): Exchange {
    const { row, version } = this.#resolve(operation)
    if (options.defect === undefined) checkRequest(operation, version, options.body)
    const { query, ...request } = options
    const search = query === undefined ? '' : `?${query}`
    const filled = fillPath(row.path, options.params ?? {})
    const path = `${this.#options.prefixOf(version)}${filled}${search}`
    const mediaType = this.#options.mediaTypeOf?.(version) ?? 'application/json'
    const headers = options.body === undefined ? {} : { 'content-type': mediaType }
    const exchange = this.#exchangeAt(path, {
      ...request,
      headers: { ...headers, ...options.headers },
      method: row.method,
    })
    return { ...exchange, operation: `${row.method} ${row.path} of the ${this.#component}` }
  }

  #exchangeAt(path: string, options: CallOptions & { readonly method?: string }): Exchange {
    const { as: credentials = ANONYMOUS, method = 'GET', params: _, defect: __, ...rest } = options
    return { ...rest, method, credentials, url: `${this.url}${path}` }
  }

  /** The version under test if it has the operation, else the newest listed version that has it. */
  #resolve(operation: Row['operation']): { row: Row; version: string } {
    const { version: underTest, versions } = this.#options
    const candidates = [underTest, ...versions.toSorted((a, b) => compareVersions(b, a))]
    const rows = this.#rows.filter(
      (one) => one.operation === operation && isSpoken(one, this.dialect),
    )
    for (const version of candidates) {
      const row = rows.find((one) => applies(one, version))
      if (row !== undefined) return { row, version }
    }
    throw new NotApplicable(
      `none of the versions ${versions.join(', ')} has the operation ${operation}`,
    )
  }
}
