import { SetupFault } from '../input/fault.ts'
import {
  type DialectProbe,
  type DoctorCheck,
  type Examination,
  type StepResult,
  urlOf,
} from './examination.ts'

async function tryForm(at: Examination, { run }: DialectProbe): Promise<StepResult> {
  const { target, ask } = at
  const [verifier, registrar] = [urlOf(at, 'verifier'), urlOf(at, 'registrar')]
  const urls = { ...(verifier && { verifier }), ...(registrar && { registrar }) }
  const { verdict, detail, next } = await run(ask, urls)
  const place = target.dialect.placeOf()
  const wrong = { code: 'D-DIALECT', next: next ?? `correct dialect at ${place}` } as const
  if (verdict === 'rejected') throw new SetupFault(detail, wrong)
  if (verdict === 'accepted') return { detail }
  const read = 'read the first failures of the run: a component that does not work passes nothing'
  return { detail, warning: { code: 'D-FUNCTION', next: read } }
}

/** The deployment accepts requests in the dialect of its target file. */
export const checkDialect: DoctorCheck = {
  name: 'dialect',
  stage: 'service',
  codes: ['D-DIALECT', 'D-FUNCTION'],
  steps: (at) =>
    at.dialectProbes.map((probe) => ({ what: probe.what, run: () => tryForm(at, probe) })),
}
