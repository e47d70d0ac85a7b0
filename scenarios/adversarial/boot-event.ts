import { evidenceFamily } from '../../conformance/dsl.ts'

export default evidenceFamily({
  place: 'adversarial.boot-event',
  fixtures: 'e9-uefi-data',
  needs: ['uefi_log', 'measured_boot'],
  otherwise: 'VER-EVIDENCE-BOOT-JUDGES',
})
