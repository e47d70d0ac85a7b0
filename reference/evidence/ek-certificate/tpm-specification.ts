import { DER, type DerReader, derContents } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { readIdentifier, smallNumberOf } from './der-values.ts'

/** tcg-at-tpmSpecification (TCG EK Credential Profile, 3.2.9). */
const TPM_SPECIFICATION = '2.23.133.2.16'

/** The specification of a TPM: `2.0`, level 0, revision 138. */
export interface TpmSpecification {
  readonly family: string
  readonly level: number
  readonly revision: number
}

/** Finds the TPM specification among SubjectDirectoryAttributes; undefined when it is not there. */
export function readTpmSpecification(reader: DerReader): TpmSpecification | undefined {
  let found: TpmSpecification | undefined
  let count = 0
  do {
    const attribute = reader.enter(`[${count}]`, DER.SEQUENCE)
    count += 1
    const type = readIdentifier(attribute, 'type')
    const values = attribute.enter('values', DER.SET)
    attribute.finish()
    if (type === TPM_SPECIFICATION) found = onlyOne(found, readValue(values), reader)
  } while (!reader.isAtEnd)
  return found
}

function onlyOne(
  before: TpmSpecification | undefined,
  found: TpmSpecification,
  { path, offset }: DerReader,
): TpmSpecification {
  if (before === undefined) return found
  throw new WireError(path, offset, 'names the TPM specification twice')
}

function readValue(values: DerReader): TpmSpecification {
  const reader = values.enter('[0]', DER.SEQUENCE)
  values.finish()
  const { whole, path } = reader
  const family = derContents(whole, reader.next('family', DER.UTF8_STRING))
  const number = (name: string) =>
    smallNumberOf(whole, reader.next(name, DER.INTEGER), `${path}.${name}`)
  const read = {
    family: Buffer.from(family).toString('utf8'),
    level: number('level'),
    revision: number('revision'),
  }
  reader.finish()
  return read
}
