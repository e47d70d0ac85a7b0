import type { Transmit } from './command.ts'
import { certify, getTime, quote, sign } from './commands/attestation.ts'
import { clockSet, readClock } from './commands/clock.ts'
import { activateCredential, policySecret, startPolicySession } from './commands/credential.ts'
import { hashSequence } from './commands/hash-sequence.ts'
import { getCapability, getRandom, shutdown, startup } from './commands/lifecycle.ts'
import { nvDefineSpace, nvRead, nvReadPublic, nvWrite } from './commands/nv.ts'
import { createPrimary, evictControl, flushContext, readPublicArea } from './commands/objects.ts'
import { pcrAllocate, pcrExtend, pcrRead, pcrReset } from './commands/pcr.ts'

/** The commands of `tpm/commands/`, bound to one TPM; `transmit` sends arbitrary bytes. */
export type Tpm = ReturnType<typeof bindTpm>

/** Binds every command to a transport. */
export function bindTpm(transmit: Transmit) {
  const bind =
    <Rest extends readonly unknown[], Result>(
      command: (transmit: Transmit, ...rest: Rest) => Promise<Result>,
    ) =>
    (...rest: Rest): Promise<Result> =>
      command(transmit, ...rest)
  return {
    transmit,
    startup: bind(startup),
    shutdown: bind(shutdown),
    getRandom: bind(getRandom),
    getCapability: bind(getCapability),
    pcrExtend: bind(pcrExtend),
    pcrReset: bind(pcrReset),
    pcrAllocate: bind(pcrAllocate),
    pcrRead: bind(pcrRead),
    createPrimary: bind(createPrimary),
    readPublic: bind(readPublicArea),
    evictControl: bind(evictControl),
    flushContext: bind(flushContext),
    startPolicySession: bind(startPolicySession),
    policySecret: bind(policySecret),
    activateCredential: bind(activateCredential),
    quote: bind(quote),
    certify: bind(certify),
    getTime: bind(getTime),
    readClock: bind(readClock),
    clockSet: bind(clockSet),
    sign: bind(sign),
    hashSequence: bind(hashSequence),
    nvDefineSpace: bind(nvDefineSpace),
    nvWrite: bind(nvWrite),
    nvRead: bind(nvRead),
    nvReadPublic: bind(nvReadPublic),
  }
}
