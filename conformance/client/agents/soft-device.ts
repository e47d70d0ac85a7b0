import { nativeAttester } from '../../../simulator/machine/native-attester.ts'
import { type SoftAttester, tpm2bPublic } from '../../../simulator/machine/soft-attester.ts'
import { createManufacturer, type Manufacturer } from '../../../simulator/swtpm/manufacturer.ts'
import { type TPMS_ATTEST, writeAttest } from '../../../simulator/tpm/attest.ts'
import { TPM_GENERATED_VALUE, TPM_ST, TPMA_OBJECT } from '../../../simulator/tpm/constants.ts'
import { nameOf, spkiOf, type TPMT_PUBLIC } from '../../../simulator/tpm/public.ts'
import { base64 } from '../bytes.ts'

type DeviceKeyName = 'iak' | 'idevid'

/** What differs in the identity members of a device whose keys are outside any TPM. */
export interface SoftDeviceDefect {
  /** Changes the certification before it is signed. */
  readonly change?: (attest: TPMS_ATTEST) => TPMS_ATTEST
  /** The key that signs the certification, by its label; by default the IAK. */
  readonly signedBy?: string
  /** A key whose certificate is of an untrusted manufacturer, expired, not yet valid, or that of another key. */
  readonly certificate?: {
    readonly of: DeviceKeyName
    readonly is: 'of another maker' | 'expired' | 'not yet valid' | 'of another key'
  }
  /** The IAK is not restricted to structures of its TPM. */
  readonly unrestricted?: true
}

const DAYS = 86_400_000
/** Days by which validity is shifted; certificates are valid for 3650 days. */
const LONG_AGO = 3700
const NOTHING = new Uint8Array()
const CLOCK = { clock: 1_000_000n, resetCount: 1, restartCount: 0, safe: 1 }

const attesters = new Map<string, SoftAttester>()

/** The key of a label, which is costly to derive. */
function attesterOf(label: string): SoftAttester {
  const attester = attesters.get(label) ?? nativeAttester(label)
  attesters.set(label, attester)
  return attester
}

interface Registering {
  readonly agentId: string
  /** TPM2B_PUBLIC of its AIK. */
  readonly aik: Uint8Array
  readonly manufacturer: Manufacturer
}

/**
 * The members of `deviceMembers` for a device with soft keys, derived from a label: its IAK signs any structure, as no
 * TPM does.
 */
export async function softDeviceMembers(
  { agentId, aik, manufacturer }: Registering,
  label: string,
  defect: SoftDeviceDefect = {},
): Promise<Readonly<Record<string, string>>> {
  const [iak, idevid] = [attesterOf(`${label} IAK`), attesterOf(`${label} IDevID`)]
  const name = nameOf(aik)
  const attest: TPMS_ATTEST = {
    ...{ magic: TPM_GENERATED_VALUE, type: TPM_ST.ATTEST_CERTIFY, qualifiedSigner: name },
    ...{ extraData: new TextEncoder().encode(agentId), clockInfo: CLOCK, firmwareVersion: 1n },
    ...{ attested: { kind: 'certify', name, qualifiedName: name }, leftover: NOTHING },
  }
  const message = writeAttest(defect.change?.(attest) ?? attest)
  const signer = defect.signedBy === undefined ? iak : attesterOf(`${defect.signedBy} IAK`)
  const certified = (of: DeviceKeyName, area: TPMT_PUBLIC) =>
    certificateOf(of, area, manufacturer, defect)
  return {
    iak_tpm: base64(defect.unrestricted ? tpm2bPublic(unrestricted(iak.area)) : iak.public),
    iak_cert: base64(await certified('iak', iak.area)),
    idevid_tpm: base64(tpm2bPublic(unrestricted(idevid.area))),
    idevid_cert: base64(await certified('idevid', idevid.area)),
    iak_attest: base64(message),
    iak_sign: base64(signer.sign(message)),
  }
}

function unrestricted(area: TPMT_PUBLIC): TPMT_PUBLIC {
  return { ...area, objectAttributes: area.objectAttributes & ~TPMA_OBJECT.restricted }
}

async function certificateOf(
  of: DeviceKeyName,
  area: TPMT_PUBLIC,
  manufacturer: Manufacturer,
  { certificate }: SoftDeviceDefect,
): Promise<Uint8Array> {
  const is = certificate?.of === of ? certificate.is : undefined
  const now = Date.now()
  const maker =
    is === 'of another maker'
      ? await createManufacturer({
          name: 'Another TPM Manufacturer',
          alone: true,
          now: new Date(now),
        })
      : manufacturer
  const key = is === 'of another key' ? attesterOf('another device').area : area
  const shift = is === 'expired' ? -LONG_AGO : is === 'not yet valid' ? LONG_AGO : 0
  const at = shift === 0 ? undefined : new Date(now + shift * DAYS)
  return maker.certifyDevice(spkiOf(key), `${of} of a device`, at)
}
