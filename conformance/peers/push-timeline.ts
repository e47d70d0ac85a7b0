import type { Machine } from '../../simulator/machine/machine.ts'
import { registrarStepOf } from '../../simulator/services/registrar-truth.ts'
import type { RegistrarExchange } from '../../simulator/services/scripted-registrar.ts'
import type { VerifierExchange } from '../../simulator/services/scripted-verifier.ts'
import type { Answer, Exchange, ReceivedRequest } from '../../simulator/services/service.ts'
import { BANKS, type Bank } from '../../simulator/tpm/hash.ts'
import { inDocumentForm } from '../client/document-form.ts'
import type { Dialect } from '../dialects/dialect.ts'

const PUSH_STEPS = [
  'version',
  'register',
  'activate',
  'session',
  'proof',
  'capabilities',
  'evidence',
  'other',
] as const
export type PushStep = (typeof PUSH_STEPS)[number]

type PushPeer = 'registrar' | 'verifier' | 'elsewhere'

/** The state of a machine when evidence arrived. */
interface Known {
  readonly pcrs: Promise<ReadonlyMap<Bank, ReadonlyMap<number, Uint8Array>>>
  /** Lines of the measurement list. */
  readonly list: readonly string[]
  readonly boot: Uint8Array
  readonly bootTime: string
}

/** One request of a push agent and its answer. */
export interface PushOperation extends Partial<Omit<VerifierExchange, keyof Exchange | 'step'>> {
  readonly peer: PushPeer
  readonly step: PushStep
  readonly request: ReceivedRequest
  readonly answer: Answer
  /** Only for evidence. */
  readonly known?: Known
}

/**
 * Merges the requests of an agent to all peers into one list, ordered by arrival. Bodies that its verifier gets are read in
 * the dialect of the agent; as they were sent, they are in `body`.
 */
export function pushTimeline(dialect: Dialect, onOperation: (operation: PushOperation) => void) {
  const operations: PushOperation[] = []
  let machine: Machine | undefined
  const add = (operation: PushOperation) => {
    const at = operations.findLastIndex((one) => one.request.at <= operation.request.at)
    operations.splice(at + 1, 0, operation)
    onOperation(operation)
  }
  return {
    operations: (): readonly PushOperation[] => operations,
    watch(watched: Machine) {
      machine = watched
    },
    registrar: ({ request, answer, did }: RegistrarExchange) =>
      add({
        peer: 'registrar',
        step: registrarStepOf(request)?.name ?? 'other',
        request,
        answer,
        did,
      }),
    elsewhere: ({ request, answer }: Exchange) =>
      add({ peer: 'elsewhere', step: 'other', request, answer }),
    verifier({ step, ...exchange }: VerifierExchange) {
      const known = step === 'evidence' && machine ? { known: knownOf(machine) } : {}
      const json = inDocumentForm(exchange.request.json, dialect)
      const request = { ...exchange.request, json }
      add({ peer: 'verifier', ...exchange, request, step: step ?? 'other', ...known })
    },
  }
}

/** Collects the operations of one agent. */
export type PushTimeline = ReturnType<typeof pushTimeline>

const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

function knownOf({ tpm, ima, uefi, bootTime }: Machine): Known {
  const text = Buffer.from(ima.ascii()).toString('latin1')
  const pcrs = readBanks(tpm)
  // Evidence may arrive while the machine stops. Callers that await `pcrs` still get the rejection.
  pcrs.catch(() => undefined)
  return {
    pcrs,
    list: text.split('\n').slice(0, -1),
    boot: uefi.bytes,
    bootTime,
  }
}

async function readBanks(tpm: Machine['tpm']) {
  const banks = await Promise.all(
    BANKS.map(async (bank) => [bank, await tpm.pcrRead(bank, ALL_PCRS)] as const),
  )
  return new Map(banks)
}
