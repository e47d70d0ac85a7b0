import type { DistinguishedName, NameAttribute } from './parse-names.ts'

/** emailAddress (PKCS #9), which names an address as a name of the other kind does. */
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/** Compares texts without regard to case and blanks (RFC 5280, 7.1). */
function plainText(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function plainAttribute({ type, value, isText }: NameAttribute): string {
  return JSON.stringify(isText ? [type, plainText(value)] : [type, value, 'DER'])
}

/** One line for each relative name; lines of equal names are equal. */
export function plainName(name: DistinguishedName): readonly string[] {
  return name.map((attributes) => attributes.map(plainAttribute).toSorted().join())
}

/** Whether one name is the other, or below it in the directory. */
export function isWithin(name: readonly string[], tree: readonly string[]): boolean {
  return tree.length <= name.length && tree.every((line, at) => line === name[at])
}

/** E-mail addresses in a name, which constraints on addresses are for as well (RFC 5280, 4.2.1.10). */
export function addressesIn(name: DistinguishedName): readonly string[] {
  return name.flat().flatMap(({ type, value }) => (type === EMAIL_ADDRESS ? [value] : []))
}
