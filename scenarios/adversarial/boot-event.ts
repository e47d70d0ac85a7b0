import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily({
  place: 'adversarial.boot-event',
  fixtures: 'e9-uefi-data',
  needs: ['uefi_log', 'measured_boot'],
  otherwise: 'VER-EVIDENCE-BOOT-JUDGES',
})
