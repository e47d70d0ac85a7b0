import { withoutTrailing } from '../../../simulator/uefi/without-trailing.ts'
import type { PolicyFacts } from '../inspection.ts'
import { pathWords, safe } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { at, type JsonMember, type JsonNode } from './json-source.ts'

export const POLICY_PART = 'policy'

type Shape = 'object' | 'list' | 'text' | 'number' | 'null'

/** Required members of a runtime policy, version 1. */
const MEMBERS: readonly (readonly [path: readonly string[], shape: Shape])[] = [
  [['meta'], 'object'],
  [['meta', 'version'], 'number'],
  [['meta', 'generator'], 'number'],
  [['release'], 'number'],
  [['digests'], 'object'],
  [['excludes'], 'list'],
  [['keyrings'], 'object'],
  [['ima'], 'object'],
  [['ima', 'ignored_keyrings'], 'list'],
  [['ima', 'log_hash_alg'], 'text'],
  [['ima', 'dm_policy'], 'null'],
  [['ima-buf'], 'object'],
  [['verification-keys'], 'text'],
]

/** Whether a JSON object has members of a runtime policy: its digests, or two others. */
export function isRuntimePolicy(root: JsonNode): boolean {
  const names = MEMBERS.flatMap(([path]) => (path.length === 1 ? path : []))
  const present = names.filter((name) => at(root, name) !== undefined)
  return present.includes('digests') || present.length > 1
}

const WIDE: readonly string[] = ['', '.', '.*', '.+', '/', '/.*', '/.+']
const USUAL_LENGTHS: readonly number[] = [40, 64, 96, 128]

type Warn = (id: WarningId, node: Pick<JsonNode, 'start'>, path: string, says: string) => void

function shapeOf(node: JsonNode): Shape | undefined {
  if (node.members !== undefined) return 'object'
  if (node.items !== undefined) return 'list'
  if (node.value === null) return 'null'
  return ({ string: 'text', number: 'number' } as const)[typeof node.value as 'string' | 'number']
}

/** Collects the warnings of a runtime policy. */
export function warnOfPolicy(root: JsonNode, facts: PolicyFacts, warnings: Warnings): void {
  const warn: Warn = (id, { start }, path, says) =>
    warnings.add(id, { part: POLICY_PART, offset: start, path, says })
  warnOfMembers(root, warn)
  warnOfDuplicates(root, warn)
  for (const table of ['digests', 'keyrings', 'ima-buf']) {
    for (const member of at(root, table)?.members ?? []) warnOfDigests(table, member, warn)
  }
  for (const exclude of at(root, 'excludes')?.items ?? []) warnOfExclude(exclude, warn)
  if (facts.generator !== null && facts.generator <= 1) {
    const node = at(root, 'meta', 'generator') ?? root
    warn('placeholder-policy', node, 'meta.generator', `${facts.generator}`)
  }
}

const WORDS: Readonly<Record<Shape, string>> = {
  object: 'an object',
  list: 'a list',
  text: 'a text',
  number: 'a number',
  null: 'null',
}

function warnOfMembers(root: JsonNode, warn: Warn): void {
  for (const [path, shape] of MEMBERS) {
    const outer = at(root, ...path.slice(0, -1))
    const node = at(root, ...path)
    const name = path.join('.')
    if (outer !== undefined && node === undefined) warn('missing-member', outer, name, name)
    else if (node !== undefined && shapeOf(node) !== shape) {
      warn('wrong-type', node, name, `it must be ${WORDS[shape]}`)
    }
  }
}

function warnOfDuplicates(root: JsonNode, warn: Warn): void {
  const waiting: JsonNode[] = [root]
  for (const node of waiting) {
    const keys = new Set<string>()
    for (const { key, keyStart, node: inner } of node.members ?? []) {
      if (keys.has(key)) warn('duplicate-key', { start: keyStart }, safe(key), 'duplicate')
      keys.add(key)
      waiting.push(inner)
    }
  }
}

function warnOfDigests(table: string, { key, keyStart, node }: JsonMember, warn: Warn): void {
  const path = `${table}[${safe(JSON.stringify(key))}]`
  const items = node.items ?? []
  if (node.items === undefined) warn('wrong-type', node, path, 'it must be a list of digests')
  else if (items.length === 0) warn('no-digest', node, path, 'an empty list')
  if (table === 'digests' && key.includes(' ')) {
    warn('path-blank', { start: keyStart }, path, safe(key))
  }
  for (const item of items) warnOfDigest(item, path, warn)
}

function warnOfDigest(item: JsonNode, path: string, warn: Warn): void {
  if (typeof item.value !== 'string' || !/^[0-9a-fA-F]*$/.test(item.value)) {
    warn('wrong-type', item, path, 'a digest must be hexadecimal text')
    return
  }
  if (/[A-F]/.test(item.value)) warn('upper-case-digest', item, path, `${item.value.slice(0, 12)}…`)
  const { length } = item.value
  if (!USUAL_LENGTHS.includes(length)) warn('odd-digest-size', item, path, `${length} digits`)
}

function compiles(pattern: string): boolean {
  try {
    // Policies use Python's syntax: named groups (?P<name>…) and leading flags.
    new RegExp(pattern.replaceAll('(?P<', '(?<').replace(/^\(\?[aimsux]+\)/, ''), 'u')
    return true
  } catch {
    return false
  }
}

/** Whether a repeated group contains a repetition. */
function repeatsRepeats(pattern: string): boolean {
  const groups = [...pattern.matchAll(/\(([^()]*)\)[+*{]/g)]
  return groups.some(([, inner = '']) => /[+*]/.test(inner))
}

function warnOfExclude(item: JsonNode, warn: Warn): void {
  if (typeof item.value !== 'string') {
    warn('wrong-type', item, 'excludes', 'an expression must be a text')
    return
  }
  const shown = pathWords(item.value)
  if (WIDE.includes(withoutTrailing(item.value.replace(/^[(^]+/, ''), ')$'))) {
    warn('wide-exclude', item, 'excludes', shown)
  }
  if (/\(\?<?[=!]|\\[1-9]/.test(item.value) || repeatsRepeats(item.value)) {
    warn('unsafe-exclude', item, 'excludes', shown)
  }
  if (!compiles(item.value)) warn('bad-exclude', item, 'excludes', shown)
}
