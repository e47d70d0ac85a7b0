import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import type {
  AuthorizationMatrix,
  CertificateKind,
  HeaderRow,
  OperationEntry,
} from './load-matrix.ts'

/** Expected result of a request; `either` if the document is ambiguous or silent. */
const EXPECTATIONS = ['allowed', 'refused', 'either'] as const
export type ExpectationName = (typeof EXPECTATIONS)[number]

/** One operation under one version, requested with one header and one certificate. */
export interface AuthorizationCell {
  /** `verifier delete-agent 2.5 own token, no certificate` */
  readonly id: string
  /** `own token, no certificate` */
  readonly credentials: string
  readonly header: HeaderRow
  readonly certificate: CertificateKind
  readonly expected: ExpectationName
  readonly requirement: string
}

const SHOWN: Readonly<Record<CertificateKind, string>> = {
  none: 'no certificate',
  admin: 'admin certificate',
  'self-signed': 'self-signed certificate',
}

/** Returns the matrix entry of an operation under a version. */
export function entryOf(
  { operations }: Pick<AuthorizationMatrix, 'operations'>,
  { component, operation }: Pick<OperationEntry, 'component' | 'operation'>,
  version: string,
): OperationEntry | undefined {
  return operations.find(
    (one) => one.component === component && one.operation === operation && applies(one, version),
  )
}

/**
 * Returns every cell of an operation under a version, in the order of the table.
 *
 * @throws {Error} if the table lacks a verdict, or a verdict has no requirement
 */
export function cellsOf(
  matrix: AuthorizationMatrix,
  entry: OperationEntry,
  version: string,
): readonly AuthorizationCell[] {
  const { component, operation, category: name } = entry
  const category = matrix.categories.find(({ id }) => id === name)
  if (category === undefined) throw new Error(`${operation}: unknown category ${name}`)
  const headers = matrix.headers.filter(({ id }) => category.verdicts[id] !== undefined)
  return headers.flatMap((header) =>
    matrix.certificates.map((certificate, at) => {
      const credentials = `${header.id}, ${SHOWN[certificate]}`
      const id = `${component} ${operation} ${version} ${credentials}`
      const [verdict, word = ''] = category.verdicts[header.id]?.[at]?.split(' ') ?? []
      const expected = entry.either?.includes(word) ? 'either' : verdict
      if (!isExpectation(expected)) throw new Error(`${name}: no verdict for ${header.id}`)
      const requirement = requirementOf(matrix, entry, word)
      return { id, credentials, header, certificate, expected, requirement }
    }),
  )
}

function isExpectation(word: string | undefined): word is ExpectationName {
  return EXPECTATIONS.some((one) => one === word)
}

function requirementOf(
  { words }: AuthorizationMatrix,
  { operation, says }: OperationEntry,
  word: string,
): string {
  const requirement = typeof says === 'string' ? says : (says[word] ?? words[word])
  if (requirement === undefined) throw new Error(`${operation}: no requirement for ${word}`)
  return requirement
}
