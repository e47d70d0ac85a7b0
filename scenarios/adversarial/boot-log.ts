import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily({
  place: 'adversarial.boot-log',
  fixtures: 'e8-uefi-log',
  needs: ['uefi_log', 'measured_boot'],
  requirements: {
    94: 'VER-EVIDENCE-BOOT-JUDGES',
    95: 'VER-EVIDENCE-BOOT-JUDGES',
    98: 'VER-EVIDENCE-BOOT-JUDGES',
    99: 'VER-EVIDENCE-BOOT-JUDGES',
    100: 'VER-EVIDENCE-BOOT-BANK',
  },
  otherwise: 'VER-EVIDENCE-BOOT-REPLAYS',
})
