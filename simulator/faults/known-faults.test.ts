import { expect, test } from 'vitest'
import { parseImaList } from '../ima/list.ts'
import type { Machine } from '../machine/machine.ts'
import type { Mutations } from '../platform/outputs.ts'
import { eventsOf } from '../platform/scripted-boot.ts'
import { openLab } from '../testing/lab.ts'
import { keyObjectOf, parseTpm2bPublic } from '../tpm/public.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'
import { filled, text, toHex } from '../tpm/write.ts'
import { writeLogOf } from '../uefi/log-form.ts'
import { SHIM_GRUB } from '../uefi/profiles/loaders.ts'
import { fixture } from '../vectors/fixtures.ts'
import { placesOf } from './fault.ts'
import { FAULTS, faultByName } from './known-faults.ts'
import { UEFI_FAULTS } from './uefi/known-uefi-faults.ts'

const lab = openLab()

/** A valid output for every place. */
const VALUES: { readonly [P in keyof Mutations]-?: Parameters<Required<Mutations>[P]>[0] } = {
  quote: fixture('rsassa_sha256_10.attest'),
  signature: fixture('rsassa_sha256_10.sig'),
  pcrs: new Map([
    [0, filled(32, 1)],
    [10, filled(32, 2)],
  ]),
  ima: parseImaList(fixture('binary_before_tools')),
  'ima-ascii': fixture('ascii_before_tools'),
  'ima-binary': fixture('binary_before_tools'),
  uefi: writeLogOf({ form: 'crypto-agile', banks: ['sha1', 'sha256'] }, eventsOf(SHIM_GRUB)),
}

async function machineWith(fault: string): Promise<Machine> {
  const machine = await lab.machine({ ak: 'ecc256' })
  await machine.play([['fault', fault]])
  return machine
}

test('names of faults are unique, and each has a case of evidence', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  for (const { cases } of FAULTS) {
    expect(cases.length).toBeGreaterThan(0)
    expect(cases.every((one) => one >= 1 && one <= 107)).toBe(true)
  }
})

const mutated = FAULTS.flatMap((fault) =>
  placesOf(fault).map((place) => [fault.name, place] as const),
)

test.each(mutated)('%s changes %s and does not modify its input', (name, place) => {
  const mutate = faultByName(name)?.mutations[place] as (correct: unknown) => unknown
  const before = structuredClone(VALUES[place])
  const handed = mutate(VALUES[place])
  // Lengths are compared first: a failed comparison of 64 MiB would be printed.
  const size = (value: unknown) => (value as { length?: number }).length
  if (size(handed) === size(before)) expect(handed).not.toEqual(before)
  expect(VALUES[place]).toEqual(before)
})

const happening = FAULTS.flatMap(({ name, happens }) => (happens === undefined ? [] : [name]))
const booting = new Set(UEFI_FAULTS.map(({ name }) => name))

test('a fault without mutations changes the machine', () => {
  const idle = FAULTS.filter((fault) => placesOf(fault).length === 0).map(({ name }) => name)
  expect(idle).toEqual(happening)
})

test.each(happening.filter((name) => !booting.has(name)))(
  '%s is in the list and in the PCR',
  async (name) => {
    const machine = await lab.machine({ ak: 'ecc256' })
    const before = await machine.tpm.pcrRead('sha256', [10])
    await machine.play([['fault', name]])
    expect(machine.ima.count).toBe(21)
    expect(await machine.tpm.pcrRead('sha256', [10])).not.toEqual(before)
  },
)

test('an injected line is printed unescaped and looks like an entry', async () => {
  const machine = await machineWith('name-injected-line')
  const lines = new TextDecoder().decode(machine.ima.ascii(20)).split('\n')
  expect(lines[1]).toMatch(/^10\t(ab){20}\tima-ng\tsha256:0{64}\t\/usr\/bin\/good $/)
})

test.each(['quote-magic', 'quote-cut', 'quote-leftover', 'signature-bit'])(
  'a quote with %s does not verify',
  async (fault) => {
    const machine = await machineWith(fault)
    const request = { qualifyingData: text('n'), bank: 'sha256', pcrs: [10] } as const
    const { message, signature } = await machine.quote(request)
    const key = keyObjectOf(parseTpm2bPublic(machine.ak.public))
    expect(verifySignature(message, parseSignature(signature), key)).toBe(false)
  },
)

test('values of PCRs are mutated in both of their forms', async () => {
  const machine = await machineWith('pcrs-zeroed')
  const request = { qualifyingData: text('n'), bank: 'sha256', pcrs: [0, 10] } as const
  const { pcrValues, blob } = await machine.quote(request)
  expect([...pcrValues]).toEqual([
    [0, filled(32)],
    [10, filled(32)],
  ])
  const correct = (await machine.tpm.pcrRead('sha256', [0])).get(0)
  expect(toHex(blob)).not.toContain(toHex(correct ?? filled(0)))
})

test('a machine that sends fewer entries reports fewer, and keeps all', async () => {
  const machine = await machineWith('list-truncated')
  expect([machine.ima.count, machine.ima.entries.length]).toEqual([19, 20])
  expect(parseImaList(machine.ima.binary())).toEqual(machine.ima.entries.slice(0, 19))
})

test('a million lines and a line of 64 MiB have their full size', async () => {
  const machine = await machineWith('list-million')
  expect(machine.ima.ascii().filter((byte) => byte === 10).length).toBe(1_000_000)
  const other = await machineWith('list-long-line')
  expect(other.ima.ascii().length).toBeGreaterThan(64 * 1024 * 1024)
})
