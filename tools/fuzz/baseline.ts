import { imaSigEntry } from '../../simulator/ima/make-entry.ts'
import { eccAttester } from '../../simulator/machine/soft-attester.ts'
import { runtimePolicyOf } from '../../simulator/platform/boot-facts.ts'
import { bootAggregate, eventsOf, withAggregate } from '../../simulator/platform/scripted-boot.ts'
import { digest } from '../../simulator/tpm/hash.ts'
import { cat, filled, text } from '../../simulator/tpm/write.ts'
import { bootPolicyOf } from '../../simulator/uefi/boot-policy-of.ts'
import type { UefiEvent } from '../../simulator/uefi/log.ts'
import { SHIM_GRUB } from '../../simulator/uefi/profiles/loaders.ts'
import { BOOT_KINDS, type FuzzKind } from './kinds.ts'
import type { BootModel, MachineModel } from './stages.ts'

const FILES = 8

/** What a kernel lists first: the digest over PCR 0 to 9, here those of a machine whose firmware measured nothing. */
function aggregateOfNothing() {
  return imaSigEntry('boot_aggregate', digest('sha256', filled(10 * 32)))
}

/** Files that follow from their number, so that every run measures the same. */
function toolEntry(_: unknown, at: number) {
  return imaSigEntry(`/usr/bin/tool-${at + 1}`, digest('sha256', text(`tool ${at + 1}`)))
}

/** Evidence that everybody must find valid: a quote of PCR 10, a list of nine entries, and the policy that fits it. */
export function baselineMachine(): MachineModel {
  const signer = eccAttester('baseline')
  const measured = [aggregateOfNothing(), ...Array.from({ length: FILES }, toolEntry)]
  return {
    ...{ nonce: 'Zm9yIGFzc2F5IG9ubHkx'.slice(0, 20), signer, shown: signer.area, measured },
    pcrs: new Map([[7, digest('sha256', cat(text('secure boot'), filled(1)))]]),
    clock: { clock: 40_000n, resetCount: 3, restartCount: 0, safe: 1 },
    policy: runtimePolicyOf(measured),
    tpmPolicy: {},
  }
}

/** PCRs that firmware and boot loaders extend; 10 is that of the list, 16 is for debugging. */
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/** The model in which the firmware measured this: the kernel's first entry follows, and the policy knows it. */
export function bootedWith(machine: MachineModel, events: readonly UefiEvent[]): MachineModel {
  if (machine.boot === undefined) return machine
  const measured = withAggregate(machine.measured, bootAggregate(events))
  const boot: BootModel = { ...machine.boot, events }
  return { ...machine, boot, measured, policy: runtimePolicyOf(measured) }
}

/** The same machine after a boot by Secure Boot, shim and grub, with the policy that accepts this boot alone. */
function baselineBoot(): MachineModel {
  const events = eventsOf(SHIM_GRUB)
  const boot: BootModel = {
    ...{ form: 'crypto-agile', banks: ['sha1', 'sha256'] },
    ...{ events, quoted: BOOT_PCRS, policy: bootPolicyOf(events) },
  }
  return bootedWith({ ...baselineMachine(), pcrs: new Map(), boot }, events)
}

/** The model of a machine whose evidence a kind mutates. */
export function baselineOf(kind: FuzzKind): MachineModel {
  return BOOT_KINDS.has(kind) ? baselineBoot() : baselineMachine()
}
