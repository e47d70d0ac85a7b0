import 'reflect-metadata'
import { KeyUsageFlags } from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import {
  type Issued,
  type IssueOptions,
  issue,
} from '../dev/testing/certificates/issue-certificate.ts'
import { NOON } from '../dev/testing/settable-clock.ts'
import { ask, isThere, put, scratch } from '../evidence/testing/oracles/ask.ts'
import { checkPath, pathChecks } from './check-path.ts'
import { readPathCertificate } from './path-certificate.ts'

const TOOL = 'openssl'
const EK = '2.23.133.8.1'
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** Positions in a chain, from the trusted root down to the checked certificate. */
const PLACES = ['root', 'maker', 'line', 'ek'] as const
type Place = (typeof PLACES)[number]
type Odd = Omit<IssueOptions, 'name' | 'by'>

/** A deviation of one certificate in a chain, and its possible positions; the names are those of the chain. */
interface Oddity {
  readonly id: string
  readonly at: readonly Place[]
  odd(name: (place: Place) => string): Odd
}

const ANYWHERE = PLACES
const AUTHORITIES = ['root', 'maker', 'line'] as const

const ODDITIES: readonly Oddity[] = [
  { id: 'nothing', at: ['ek'], odd: () => ({}) },
  { id: 'over', at: ANYWHERE, odd: () => ({ from: -3, to: -2 }) },
  { id: 'to come', at: ANYWHERE, odd: () => ({ from: 2, to: 3 }) },
  { id: 'no authority', at: AUTHORITIES, odd: () => ({ ca: false }) },
  { id: 'an authority', at: ['ek'], odd: () => ({ ca: true }) },
  { id: 'path length 0', at: AUTHORITIES, odd: () => ({ pathLength: 0 }) },
  { id: 'path length 1', at: AUTHORITIES, odd: () => ({ pathLength: 1 }) },
  { id: 'path length 2', at: AUTHORITIES, odd: () => ({ pathLength: 2 }) },
  {
    id: 'may sign certificates',
    at: AUTHORITIES,
    odd: () => ({ keyUsages: KeyUsageFlags.keyCertSign }),
  },
  {
    id: 'may not sign certificates',
    at: AUTHORITIES,
    odd: () => ({ keyUsages: KeyUsageFlags.digitalSignature }),
  },
  { id: 'unknown and critical', at: ANYWHERE, odd: () => ({ critical: '1.3.6.1.4.1.99999.1' }) },
  { id: 'may name others', at: AUTHORITIES, odd: () => ({ permitted: 'CN=another' }) },
  { id: 'may name this', at: ['line'], odd: (name) => ({ permitted: `CN=${name('ek')}` }) },
  { id: 'for TLS clients', at: ['maker', 'ek'], odd: () => ({ usages: [CLIENT_AUTH] }) },
  { id: 'for anything', at: ['ek'], odd: () => ({}) },
]

interface Chain {
  readonly title: string
  readonly authorities: readonly Issued[]
  readonly der: Uint8Array
}

/** A chain of its own, by names that no other has; `forged` is whose signature is by a key of another. */
async function chainOf(title: string, odd: Partial<Record<Place, Odd>>, forged?: Place) {
  const issued: Issued[] = []
  for (const place of PLACES) {
    const name = `${place} of ${title}`
    const above = issued.at(-1)
    const by = above && place === forged ? await issue({ name: above.name }) : above
    const usual = place === 'ek' ? { ca: false } : {}
    issued.push(await issue({ name, ...(by && { by }), ...usual, ...odd[place] }))
  }
  const der = issued.at(-1)?.der ?? new Uint8Array()
  return { title, authorities: issued.slice(0, -1), der }
}

async function oddChains(): Promise<readonly Chain[]> {
  const cases = ODDITIES.flatMap(({ id, at, odd }) => at.map((place) => ({ id, place, odd })))
  return Promise.all(
    cases.map(({ id, place, odd }) => {
      const title = `${place}: ${id}`
      const usages = place === 'ek' ? {} : { ek: { usages: [EK] } }
      return chainOf(title, { ...usages, [place]: odd((of) => `${of} of ${title}`) })
    }),
  )
}

/** Chains in which one signature is by another key under the same name. */
function forgedChains(): Promise<readonly Chain[]> {
  const forged = PLACES.slice(1)
  return Promise.all(forged.map((place) => chainOf(`forged ${place}`, {}, place)))
}

const TURNED = 16

/** A good certificate with one byte turned, at places from end to end. */
function turnedChains({ title, authorities, der }: Chain): readonly Chain[] {
  return Array.from({ length: TURNED }, (_, step) => {
    const at = Math.floor((step * der.length) / TURNED)
    const turned = der.with(at, (der[at] ?? 0) ^ 0x10)
    return { title: `${title}, byte ${at} turned`, authorities, der: turned }
  })
}

/** Chains of which the store lacks the one end of the authorities, or the other. */
async function partialChains(): Promise<readonly Chain[]> {
  const upper = await chainOf('no line', {})
  const lower = await chainOf('no root', {})
  return [
    { ...upper, authorities: upper.authorities.slice(0, -1) },
    { ...lower, authorities: lower.authorities.slice(1) },
  ]
}

function ours({ der, authorities: store }: Chain): boolean {
  try {
    const certificate = readPathCertificate(der)
    const request = { certificate, store, now: NOON, usage: EK, checks: pathChecks }
    return checkPath(request) === undefined
  } catch {
    return false
  }
}

function pem(der: Uint8Array): string {
  const body = Buffer.from(der).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
}

/** One process verifies all of them, each by its number. */
async function theirs(chains: readonly Chain[]): Promise<readonly boolean[]> {
  const directory = scratch()
  const store = new Set(chains.flatMap(({ authorities }) => authorities))
  const [all = ''] = put(directory, { 'store.pem': [...store].map(({ der }) => pem(der)).join('') })
  const files = put(
    directory,
    Object.fromEntries(chains.map(({ der }, number) => [`${number}.pem`, pem(der)])),
  )
  const at = String(Math.floor(NOON / 1000))
  const words = ['verify', '-no-CApath', '-no-CAstore', '-attime', at, '-CAfile', all, ...files]
  const { text } = await ask(TOOL, words)
  const passed = new Set(text.split('\n'))
  return files.map((file) => passed.has(`${file}: OK`))
}

/** Where the two differ, by title, and why ours is as it is. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'root: may not sign certificates':
    'then it issued none of them, and a certificate in the store without its issuer is a root',
  'maker: may not sign certificates': 'as above',
  'ek: for TLS clients': 'we require a purpose, and OpenSSL is called with any purpose',
  'no root': 'a certificate in the store without its issuer is a root',
}

describe.skipIf(!isThere(TOOL))(`${TOOL} verify`, () => {
  test('trusts the chains that we trust, but for those in the list', async () => {
    const odd = await oddChains()
    const [good] = odd
    const chains = [
      ...[...odd, ...(await forgedChains()), ...(await partialChains())],
      ...(good === undefined ? [] : turnedChains(good)),
    ]
    const answers = await theirs(chains)
    const verdicts = chains.map(ours)
    const differ = chains.filter((_, at) => answers[at] !== verdicts[at])
    expect(new Set(differ.map(({ title }) => title))).toEqual(new Set(Object.keys(DIFFERENCES)))
    expect([verdicts.includes(true), verdicts.includes(false)]).toEqual([true, true])
  }, 60_000)
})
