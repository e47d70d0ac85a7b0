import { evidenceFamily } from './support/evidence-family.ts'

/** Values under false labels are not those that were signed, nor those of the policy: several looks would find them. */
export default evidenceFamily({
  place: 'adversarial.pcr-part',
  fixtures: 'e4-pcr-part',
  forms: { banks: ['several-banks'], 'boot-all': ['ima-pcr-alone'] },
})
