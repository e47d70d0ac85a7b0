import { SetupFault } from '../input/fault.ts'
import {
  type DialectProbe,
  type DoctorCheck,
  type Examination,
  type Seen,
  urlOf,
} from './examination.ts'

async function tryForm(at: Examination, { look }: DialectProbe): Promise<Seen> {
  const { target, ask } = at
  const [verifier, registrar] = [urlOf(at, 'verifier'), urlOf(at, 'registrar')]
  const urls = { ...(verifier && { verifier }), ...(registrar && { registrar }) }
  const { verdict, detail, next } = await look(ask, urls)
  const place = target.dialect.placeOf()
  const wrong = { code: 'D-DIALECT', next: next ?? `correct dialect at ${place}` } as const
  if (verdict === 'refused') throw new SetupFault(detail, wrong)
  return { detail }
}

/** The deployment takes the forms in which its target file says it is spoken to. */
export const checkDialect: DoctorCheck = {
  name: 'dialect',
  stage: 'service',
  codes: ['D-DIALECT'],
  looks: (at) =>
    at.dialectProbes.map((probe) => ({ what: probe.what, look: () => tryForm(at, probe) })),
}
