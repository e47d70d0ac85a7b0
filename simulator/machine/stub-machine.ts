import type { Fault, FaultSet } from '../faults/fault.ts'
import { faultSet } from '../faults/fault-set.ts'
import { imaLog } from '../platform/ima-log.ts'
import { measuring } from '../platform/measuring.ts'
import { later, type Powering } from '../platform/powering.ts'
import type { RecordedBoot } from '../platform/recorded-boot.ts'
import { replayBoot } from '../platform/replay.ts'
import { type SoftPcrs, softPcrs } from '../platform/soft-pcrs.ts'
import { uefiView } from '../platform/uefi-view.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import type { EndorsementKey } from '../swtpm/provision.ts'
import { AK_HANDLE } from '../swtpm/provision.ts'
import type { TPMS_ATTEST, TPMS_CLOCK_INFO } from '../tpm/attest.ts'
import { nameOf, pemOf } from '../tpm/public.ts'
import { type Attesting, mutateQuote } from './attesting.ts'
import type { Machine } from './machine.ts'
import { nativeAttester } from './native-attester.ts'
import { playScript, type Script } from './script.ts'
import type { SoftAttester } from './soft-attester.ts'
import { softAttesting, ticked } from './soft-attesting.ts'
import { softEndorsementKey } from './soft-endorsement-key.ts'
import { type AttestingMachine, withoutTpm } from './unbooted-machine.ts'
import type { Scripted } from './verbs.ts'

interface StubMachineOptions {
  readonly name: string
  /** Label from which its attestation key is derived; default the name. */
  readonly label?: string
  readonly boot: RecordedBoot
  readonly manufacturer: Manufacturer
  /** Its attestation key; default the one on P-256 of the label. */
  readonly attester?: SoftAttester
  /** ISO 8601 in UTC; default `2026-01-01T00:00:00Z`. */
  readonly bootTime?: string
}

/**
 * A machine without a TPM, which keeps its PCRs consistent with its logs, and signs with a key of its own. To a
 * client it is like any other machine; a thousand of them cost as much as one virtual TPM.
 */
export interface StubMachine
  extends Scripted,
    Pick<Attesting, 'quote' | 'certify' | 'getTime' | 'activateCredential'>,
    Pick<Machine, 'name' | 'ak' | 'ima' | 'uefi' | 'play'> {
  readonly ek: EndorsementKey
  readonly tpm: SoftPcrs
  /** Mutates later attestations; undefined for no change. */
  mutateAttest: ((attest: TPMS_ATTEST) => TPMS_ATTEST) | undefined
}

const DEFAULT_BOOT_TIME = '2026-01-01T00:00:00Z'
const CLOCK: TPMS_CLOCK_INFO = { clock: 1_000_000n, resetCount: 1, restartCount: 0, safe: 1 }

const replayed = new WeakMap<RecordedBoot, Promise<SoftPcrs>>()

/** Returns the PCRs after a boot, which is replayed once. */
function pcrsAfter(boot: RecordedBoot): Promise<SoftPcrs> {
  const known = replayed.get(boot) ?? replay(boot)
  replayed.set(boot, known)
  return known
}

async function replay(boot: RecordedBoot): Promise<SoftPcrs> {
  const pcrs = softPcrs()
  await replayBoot(pcrs, boot)
  return pcrs
}

/** Applies reboots and suspensions to software PCRs, list and clock. */
function softPowering(parts: {
  readonly boot: RecordedBoot
  readonly entries: RecordedBoot['ima'][number][]
  readonly tpm: SoftPcrs
  readonly clock: { info: TPMS_CLOCK_INFO }
  readonly bootTime: string
  readonly faults: FaultSet
}): Powering {
  const { entries, tpm, clock, faults } = parts
  let { bootTime, boot } = parts
  return {
    uefi: uefiView(() => boot, faults),
    get bootTime() {
      return bootTime
    },
    async reboot(change) {
      boot = change?.(boot) ?? boot
      tpm.become(await pcrsAfter(boot))
      entries.splice(0, entries.length, ...boot.ima)
      clock.info = { ...clock.info, resetCount: clock.info.resetCount + 1, restartCount: 0 }
      bootTime = later(bootTime)
    },
    async suspend() {
      clock.info = { ...clock.info, restartCount: clock.info.restartCount + 1 }
    },
  }
}

/** Creates a machine that has booted, with software keys. It holds no resources that must be released. */
export async function stubMachine(options: StubMachineOptions): Promise<StubMachine> {
  const { name, label = name, boot, manufacturer, bootTime = DEFAULT_BOOT_TIME } = options
  const { attester = nativeAttester(label) } = options
  const ek = await softEndorsementKey('the endorsement key of machines without a TPM', manufacturer)
  const tpm = (await pcrsAfter(boot)).copy()
  const entries = [...boot.ima]
  const faults = faultSet()
  const clock = { info: CLOCK }
  const akName = nameOf(attester.public)
  const honest = softAttesting({
    attester,
    pcrs: tpm,
    clockInfo: () => {
      clock.info = ticked(clock.info)
      return clock.info
    },
    mutateAttest: (attest) => machine.mutateAttest?.(attest) ?? attest,
  })
  const machine: StubMachine = Object.assign(
    softPowering({ boot, entries, tpm, clock, bootTime, faults }),
    {
      ...{ name, ek, tpm, mutateAttest: undefined, ima: imaLog(entries, faults) },
      ...measuring(tpm, entries),
      ...honest,
      ak: {
        handle: AK_HANDLE,
        public: attester.public,
        name: akName,
        publicPem: pemOf(attester.area),
        algorithm: attester.area.type === 'rsa' ? 'rsa2048' : 'ecc256',
      } as const,
      quote: async (request: Parameters<Attesting['quote']>[0]) =>
        mutateQuote(await honest.quote(request), request, faults),
      activateCredential: async (blob: Uint8Array) => ek.open(blob, akName),
      addFault: async (fault: Fault) => {
        faults.add(fault)
        await fault.happens?.(machine)
      },
      play: (script: Script) => playScript(machine, script),
    },
  )
  return machine
}

/** A machine without a TPM for a push agent. */
export type LightMachine = StubMachine & AttestingMachine

/** Creates a machine for a push agent; it rejects operations that need a TPM. */
export async function lightMachine(options: StubMachineOptions): Promise<LightMachine> {
  const machine = await stubMachine(options)
  const tpm = Object.assign(Object.create(machine.tpm) as SoftPcrs, {
    activateCredential: withoutTpm,
  })
  const light = Object.assign(Object.create(machine) as StubMachine, {
    tpm,
    deviceIdentity: withoutTpm,
  })
  return Object.defineProperty(light, 'mutateAttest', {
    get: () => machine.mutateAttest,
    set: (mutate: StubMachine['mutateAttest']) => {
      machine.mutateAttest = mutate
    },
  })
}
