import { table } from '../../../bytes/table.ts'
import { LAST_PCR } from '../../quote/claimed-pcrs.ts'
import type { BootLog } from './parse-log.ts'
import { hasImpliedLocality } from './replay.ts'

/** Tolerated deviations of real logs from the specification; each one is shown in the result. */
const workarounds = table({
  'boot-variable-value-only':
    'the digest of a boot variable is over its value alone, so that its name proves nothing',
  'authority-of-early-shim':
    'an authority event has six bytes behind its variable, of which the first five were measured, as zeros',
  'no-action-without-pcr': 'an EV_NO_ACTION event stands under a PCR that does not exist',
  'hcrtm-locality-not-said':
    'a hardware root of trust measured first, and no event says that the TPM was started from locality 4',
})

/** Name of a workaround, as results show it. */
export type WorkaroundName = keyof typeof workarounds

/** Workarounds without which a log would not have been read or replayed. */
export function replayWorkarounds(log: BootLog): readonly WorkaroundName[] {
  const rows: readonly (readonly [WorkaroundName, boolean])[] = [
    ['no-action-without-pcr', log.events.some(({ pcr }) => pcr > LAST_PCR)],
    ['hcrtm-locality-not-said', hasImpliedLocality(log.events)],
  ]
  return rows.flatMap(([name, applies]) => (applies ? [name] : []))
}
