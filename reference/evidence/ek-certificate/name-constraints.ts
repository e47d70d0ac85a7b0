import { addressesIn, isWithin, plainName } from './compare-names.ts'
import type { GeneralName } from './general-names.ts'
import type { Certificate } from './parse-certificate.ts'
import type { NameConstraints } from './parse-extensions.ts'

/** All names that a certificate gives its holder (RFC 5280, 4.2.1.10): its subject and the alternative ones. */
export function namesOf({
  subject,
  alternativeNames = [],
}: Pick<Certificate, 'subject' | 'alternativeNames'>): readonly GeneralName[] {
  return [
    ...(subject.length === 0 ? [] : [{ kind: 'directory', name: subject } as const]),
    ...addressesIn(subject).map((text) => ({ kind: 'email', text }) as const),
    ...alternativeNames,
  ]
}

/**
 * Whether an authority may give these names: each one is within some permitted tree, if there is one of its kind, and
 * within no excluded one. A name of a kind that is not compared here is within every tree of its kind that is excluded,
 * and within none that is permitted.
 */
export function mayName(
  { permitted, excluded }: NameConstraints,
  names: readonly GeneralName[],
): boolean {
  return names.every((name) => {
    const trees = permitted.filter((tree) => isSameKind(tree, name))
    return (
      (trees.length === 0 || trees.some((tree) => covers(tree, name, false))) &&
      !excluded.some((tree) => isSameKind(tree, name) && covers(tree, name, true))
    )
  })
}

function isSameKind(one: GeneralName, other: GeneralName): boolean {
  if (one.kind === 'other') return other.kind === 'other' && one.number === other.number
  return one.kind === other.kind
}

function covers(tree: GeneralName, name: GeneralName, unknown: boolean): boolean {
  if (tree.kind === 'directory' && name.kind === 'directory')
    return isWithin(plainName(name.name), plainName(tree.name))
  if (tree.kind === 'ip' && name.kind === 'ip')
    return coversAddress(tree.bytes, name.bytes, unknown)
  if (tree.kind === 'dns' && name.kind === 'dns') return coversHost(tree.text, name.text)
  if (tree.kind === 'email' && name.kind === 'email') return coversEmail(tree.text, name.text)
  if (tree.kind === 'uri' && name.kind === 'uri') return coversUri(tree.text, name.text, unknown)
  return unknown
}

/** A host name is below `example.com` when it is that, or ends in a dot and that. */
function coversHost(tree: string, name: string): boolean {
  const [domain, host] = [tree.toLowerCase(), name.toLowerCase()]
  return domain === '' || host === domain || host.endsWith(`.${domain.replace(/^\./, '')}`)
}

/** One mailbox, all of a host, or, with a dot in front, all hosts of a domain. */
function coversEmail(tree: string, name: string): boolean {
  const [local, host] = halves(name)
  const [treeLocal, treeHost] = halves(tree)
  if (tree.includes('@'))
    return treeLocal === local && treeHost.toLowerCase() === host.toLowerCase()
  return coversExactHost(tree, host)
}

function halves(address: string): readonly [local: string, host: string] {
  const at = address.lastIndexOf('@')
  return [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
}

function coversExactHost(tree: string, name: string): boolean {
  const [domain, host] = [tree.toLowerCase(), name.toLowerCase()]
  return domain === '' || (domain.startsWith('.') ? host.endsWith(domain) : host === domain)
}

/** Constraints are on the host of a URI; one without a host is not compared. */
function coversUri(tree: string, name: string, unknown: boolean): boolean {
  const [, host] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:[\]]+)/.exec(name) ?? []
  return host === undefined ? unknown : coversExactHost(tree, host)
}

/** A constraint is an address and a mask of its length. */
function coversAddress(tree: Uint8Array, name: Uint8Array, unknown: boolean): boolean {
  const size = tree.length / 2
  if (size !== 4 && size !== 16) return unknown
  if (name.length !== size) return name.length !== 4 && name.length !== 16 && unknown
  return name.every((byte, at) => {
    const mask = tree[size + at] ?? 0
    return (byte & mask) === ((tree[at] ?? 0) & mask)
  })
}
