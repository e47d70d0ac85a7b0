import { cat, text } from '../../../../../simulator/tpm/write.ts'
import { bootPolicyOf } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { writeLogOf, writeSha1Event } from '../../../../../simulator/uefi/log-form.ts'
import { eventOf, measures } from '../../../../../simulator/uefi/measured-event.ts'
import { replayEvents } from '../../../../../simulator/uefi/replay-log.ts'
import { base64 } from '../../../../../simulator/vectors/quote/soft-quote.ts'
import { EVENTS } from '../../../../../simulator/vectors/uefi/log-evidence.ts'
import type { NearMiss, NearMissGroup } from '../near-miss.ts'
import { boundTo, quote } from '../quotes.ts'
import { BOOT_PCRS, FOREIGN } from './evidence.ts'

const FORM = { form: 'sha1', banks: ['sha1'] } as const
const READABLE = 'VER-EVIDENCE-BOOT-READABLE'

/** The policy of the boot without the digests of its kernel, which are of SHA-256. */
function policy() {
  const { kernels: _, ...others } = bootPolicyOf(EVENTS)
  return others
}

/** A quote of SHA-1 and a log in the format of TCG 1.2: events without a header, with digests of SHA-1 alone. */
function logged(
  sends: string,
  breaks?: string,
  log: (log: Uint8Array) => Uint8Array = (whole) => whole,
): NearMiss {
  return {
    sends,
    forms: ['sha1-log'],
    ...(breaks && { breaks }),
    evidence: () => {
      const values = replayEvents(EVENTS, 'sha1', BOOT_PCRS)
      const { tpm_policy: _, ...evidence } = quote({
        ...{ banks: [{ bank: 'sha1', values }], hash: 'sha1', named: 'sha1' },
        key: boundTo('sha1'),
      })
      const sent = log(writeLogOf(FORM, EVENTS))
      return { ...evidence, boot_log: base64(sent), boot_policy: policy() }
    },
  }
}

/** Without a header the first event is an event like others (PFP 10.4.5). */
const INFORMS = logged(
  'a log of TCG 1.2 that begins with an event that informs',
  undefined,
  (log) => cat(writeSha1Event(eventOf(measures(0, 'NO_ACTION', text('informs')), ['sha1'])), log),
)

const SOUND = logged('a log of TCG 1.2 that leads to the quoted PCRs')

const OF_FOREIGN: readonly NearMiss[] = FOREIGN.map((pcr) =>
  logged(`a log of TCG 1.2 followed by an event of PCR ${pcr}`, READABLE, (log) =>
    cat(log, writeSha1Event(eventOf(measures(pcr, 'IPL', text('x')), ['sha1']))),
  ),
)

export const SHA1_LOGS: NearMissGroup = {
  id: 'sha1-logs',
  title: 'The verifier reads a log in the format of TCG 1.2 to its end',
  needs: ['uefi_log', 'measured_boot'],
  rows: [
    SOUND,
    INFORMS,
    logged('a log of TCG 1.2 that ends within its last event', READABLE, (log) =>
      log.subarray(0, -1),
    ),
    logged('a log of TCG 1.2 without its last event', 'VER-EVIDENCE-BOOT-REPLAYS', () =>
      writeLogOf(FORM, EVENTS.slice(0, -1)),
    ),
    ...OF_FOREIGN,
    SOUND,
  ],
}
