import { changed, inserted, remeasured } from '../../platform/edit-events.ts'
import type { EditEvents } from '../../platform/scripted-boot.ts'
import { cat, filled, text } from '../../tpm/write.ts'
import { signatureData, signatureList, variableData } from '../../uefi/event-data.ts'
import { EV } from '../../uefi/event-types.ts'
import { GUIDS } from '../../uefi/guid.ts'
import type { UefiEvent } from '../../uefi/log.ts'
import { ofType, otherEvents } from '../../uefi/log-overrides.ts'
import { measures } from '../../uefi/measured-event.ts'
import { contentNamed } from '../../uefi/profiles/profile.ts'
import { OWNER } from '../../uefi/profiles/secure-boot-keys.ts'
import { readVariable } from '../../uefi/read-data.ts'
import { changedBoots, falseLogs, type UefiFault } from './uefi-fault.ts'

const POLICY = 'policy' as const
const CERTIFICATE = filled(64, 0x30)
const STRANGE_LIST = signatureList({
  ...{ type: GUIDS.certX509, owner: OWNER },
  signatures: [CERTIFICATE],
})

function isVariable(name: string, wanted: number) {
  return ({ pcr, type, data }: UefiEvent) =>
    pcr === 7 && type === wanted && readVariable(data).name === name
}

/** A variable of PCR 7 with another content, measured and logged. */
function variableWith(
  name: string,
  content: (before: Uint8Array) => Uint8Array,
  type: number = EV.EFI_VARIABLE_DRIVER_CONFIG,
): EditEvents {
  return changed(isVariable(name, type), (event) => {
    const { guid, data } = readVariable(event.data)
    return remeasured(event, variableData({ guid, name, data: content(data) }))
  })
}

const withStranger = (before: Uint8Array) => cat(before, STRANGE_LIST)

/** Boots that differ from their policy in one place, measured and logged correctly. */
export const POLICY_FAULTS: readonly UefiFault[] = [
  ...changedBoots(98, [
    {
      slug: 'secure-boot-off',
      what: 'Secure Boot of its firmware is off',
      outcome: POLICY,
      firmware: variableWith('SecureBoot', () => Uint8Array.of(0)),
    },
    ...['PK', 'KEK'].map((name) => ({
      slug: `${name.toLowerCase()}-further`,
      what: `its firmware has a further key in ${name}`,
      outcome: POLICY,
      firmware: variableWith(name, withStranger),
    })),
    {
      slug: 'dbx-emptied',
      what: 'its firmware has forgotten what was revoked',
      outcome: POLICY,
      firmware: variableWith('dbx', () => filled(0)),
    },
    {
      slug: 'authority-strange',
      what: 'its first boot loader was let through by a key that db does not have',
      outcome: POLICY,
      firmware: variableWith(
        'db',
        () => signatureData(OWNER, CERTIFICATE),
        EV.EFI_VARIABLE_AUTHORITY,
      ),
    },
    {
      slug: 'mok-other',
      what: 'its owner gave shim another list of keys',
      outcome: POLICY,
      firmware: changed(ofType(14, EV.IPL), (event) => ({
        ...event,
        digests: remeasured(event, contentNamed('another list')).digests,
      })),
    },
    {
      slug: 'debug-mode',
      what: 'its firmware says that it runs in a mode for debugging',
      outcome: POLICY,
      firmware: inserted(
        measures(7, 'EFI_ACTION', text('UEFI Debug Mode')),
        ofType(7, EV.SEPARATOR),
      ),
    },
    {
      slug: 'event-unused',
      what: 'its firmware measures something of a type that says nothing',
      outcome: POLICY,
      firmware: inserted(measures(6, 'UNUSED', text('?')), ofType(6, EV.SEPARATOR)),
    },
  ]),
  ...falseLogs(99, [
    {
      slug: 'authority-told-otherwise',
      what: 'the log shows another level of revocation than shim measured',
      outcome: POLICY,
      log: otherEvents(
        changed(isVariable('SbatLevel', EV.EFI_VARIABLE_AUTHORITY), (event) => ({
          ...event,
          data: event.data.with(-2, 0x39),
        })),
      ),
    },
  ]),
]
