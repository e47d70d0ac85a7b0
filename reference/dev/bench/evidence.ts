import { hash } from 'node:crypto'
import { listedPcrs, provenPcrs } from '../../evidence/testing/proven-pcrs.ts'
import { evaluateUefi } from '../../evidence/uefi/evaluate-uefi.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { bootLogRows } from './boot-log-rows.ts'
import { ekCertificateRows } from './ek-certificate-rows.ts'
import { imaRows } from './ima-rows.ts'
import { cost, present, type Row } from './measure.ts'
import { quoteRows } from './quote-rows.ts'

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}

function uefiRow(): Row {
  const log = recorded('binary_bios_measurements')
  const text = Buffer.from(recorded('pcrs_before_tools.txt')).toString()
  const verified = provenPcrs(listedPcrs(text).filter(({ bank }) => bank === 'sha256'))
  const digests = parseBootLog(log).events.map(({ digests: each }) => each.get('sha256') ?? log)
  const extendAll = () => digests.reduce((value, digest) => sha256(value, digest))
  return {
    subject: 'boot log',
    unit: 'event',
    ours: cost(
      () => evaluateUefi(log, verified, 'sha256', { required: true, pcrs: [0, 7] }),
      digests.length,
    ),
    floor: 'one extend',
    least: cost(extendAll, digests.length),
  }
}

present([...quoteRows(), ...imaRows(), uefiRow(), ...bootLogRows(), ...ekCertificateRows()])
