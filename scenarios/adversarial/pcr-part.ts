import { evidenceFamily } from './support/evidence-family.ts'

/** Mislabelled values match neither the signature nor the policy, so several checks may refuse them. */
export default evidenceFamily({
  place: 'adversarial.pcr-part',
  fixtures: 'e4-pcr-part',
  forms: { banks: ['several-banks'], 'boot-all': ['ima-pcr-alone'] },
})
