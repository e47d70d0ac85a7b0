import type { Place, Warning } from './inspection.ts'

/** Id -> explanation of each warning. */
const WHY = {
  'not-tpm-generated':
    'a TPM begins every structure that it generates with ff544347; any other structure may have been made outside and only signed by the TPM',
  'not-a-quote': 'another attestation structure with the same key and nonce contains no PCR digest',
  'unknown-attestation': 'the TPM specification does not define this type',
  'empty-nonce':
    'without the nonce of a verifier, an old quote cannot be distinguished from a new one',
  'clock-not-safe':
    'the clock may have been higher before, so its value does not prove an order of events',
  'empty-selection': 'no PCR is selected, so the quote proves nothing about the machine',
  'repeated-bank': 'two selections of one bank are ambiguous',
  'unknown-bank':
    'the hash algorithm of the bank is unknown, so the length of its values is unknown',
  'odd-bitmap': 'the TPM of a PC has 24 PCRs and a bitmap of 3 bytes',
  'missing-bank':
    'there is no SHA-256 bank: SHA-1 can be forged, and most policies require SHA-256',
  'padded-bank':
    'a kernel that loads SHA-384 and SHA-512 as modules extends PCR 10 of these banks with the SHA-1 template hash padded with zeros; the list must be replayed by that rule',
  'odd-digest-size': 'no known hash algorithm has digests of this length',
  'trailing-bytes':
    'these bytes are not part of the structure: one parser may ignore them, another may use them',
  'odd-base64': 'this is not the canonical base64 encoding; other parsers may reject it',
  'compressed-part': 'only API 1.0 compresses the parts of a quote; later versions reject them',
  'unknown-signature': 'this tool cannot verify the signature scheme',
  'unknown-hash': 'the hash algorithm is unknown',
  'weak-hash': 'SHA-1 has collisions: two structures can have the same signature',
  'odd-signature-size': 'no common key type makes signatures of this length',
  'odd-blob-size': 'tpm2-tools writes 136 + 532·n bytes for n lists of eight values',
  'counts-too-large':
    'a count exceeds the number of slots: the byte order may be wrong, or the data was edited',
  'odd-padding': 'unused bytes should be zero; here they contain data',
  'odd-value-size': 'the length of the value is not the digest length of its bank',
  'value-count': 'the number of values differs from the number of selected PCRs',
  violation:
    'the measured content is not reliable: the file was open for writing when it was measured (open-writers), or was opened for writing after its measurement (ToMToU)',
  'name-underscore':
    'the kernel replaces spaces in names by _ before hashing, so `a b` and `a_b` are both listed as `a_b`',
  'name-control': 'the name contains control or invisible characters, which are shown escaped',
  'name-blank': 'the kernel never writes a space in a name: another program has written this entry',
  'name-newline': 'the name contains a newline: a parser that splits lines reads a false entry',
  'name-not-utf8': 'the name is not valid UTF-8, so JSON cannot represent it',
  'unknown-template': 'the fields of this template are unknown, so its hash cannot be checked',
  'template-hash': 'the template hash does not match the template data: the entry was modified',
  'unreadable-field':
    'the text of the field does not have the form of its template, so its bytes cannot be reconstructed',
  'odd-file-digest': 'the length of the digest does not match its algorithm',
  'weak-file-digest': 'MD5 and SHA-1 have collisions: two files can have the same digest',
  'odd-file-signature': 'a file signature begins with type, version 2, hash, key id and length',
  'no-boot-aggregate':
    'the first entry of a boot is boot_aggregate; a list that begins with another entry is incomplete',
  'late-boot-aggregate':
    'boot_aggregate is written once as the first entry; a later one belongs to another boot or is forged',
  'other-pcr':
    'IMA extends PCR 10 unless its policy names another PCR; this entry is not part of the replay of PCR 10',
  'no-final-newline':
    'the kernel ends every line with a newline: the end of the list may be missing',
  'carriage-return': 'a program has changed the line ends of the list; its hashes may not match',
  'list-continues': 'the PCRs were read before the last entries were added',
  'event-digest':
    'the digest of an event of this type is computed over its data; here it does not match, so the data proves nothing',
  'separator-error': 'a separator other than 0 or ffffffff reports an error before it',
  'separator-again':
    'a PCR has one separator, between firmware and boot loader; the firmware did not write a second one',
  'event-type':
    'the specification does not define this type, so the meaning of the digest is unknown',
  'event-data':
    'the data does not have the form of its type: parsers may disagree about its meaning',
  'event-pcr': 'the TPM of a PC has PCR 0 to 23, so the event cannot have been measured',
  'event-bank': 'the event has no digest of a bank in the header, so that bank cannot be replayed',
  'informs-digest':
    'an EV_NO_ACTION event is not extended, so its digest should be zero; a wrong parser may extend it',
  'locality-place':
    'the startup locality event occurs once, in PCR 0, before the first measurement',
  'sha1-log': 'the log has SHA-1 digests only: a quote of another bank does not cover it',
  'log-padding':
    'firmware returns its whole buffer; the bytes after the last event are not part of the log',
  'guest-registers':
    'a confidential guest numbers its registers from 1 (MRTD, RTMR0-3); they are not PCRs of a TPM',
  'duplicate-key': 'one parser uses the first value, another the last',
  'unknown-member':
    'a reference state has no such member: no check enforces it, and a verifier may reject it',
  'not-compared': 'the state does not name this, so a verifier accepts anything there',
  'missing-member': 'a policy requires this member; a verifier rejects a policy without it',
  'wrong-type': 'a verifier rejects a policy in which this member has another type',
  'placeholder-policy':
    'generator 0 or 1 marks a placeholder: some verifiers do not enforce such a policy',
  'upper-case-digest': 'digests are compared as lower-case text, so this one can never match',
  'no-digest': 'a path without a digest can never match',
  'path-blank': 'the kernel writes spaces in names as _, so this path can never match',
  'wide-exclude': 'the expression excludes nearly every file, so the policy checks nothing',
  'bad-exclude':
    'if one expression cannot be compiled, a verifier may ignore all excludes or reject the policy',
  'unsafe-exclude':
    'linear-time engines reject lookaround and back references, and nested repeats can take exponential time',
  'nv-header':
    'TPM 1.2 tools left a header of 7 bytes before the certificate; other parsers find no certificate',
  'nv-padding':
    'the NV index is larger than the certificate; other parsers may reject the bytes after it',
  'oaep-label':
    'the key algorithm is RSAES-OAEP, as in certificates of STMicroelectronics; OpenSSL does not load such a key',
  'set-order':
    'DER sorts the members of a SET, certificates of Nuvoton do not; a parser that encodes the name again gets other bytes',
  'weak-certificate': 'this hash has collisions: two certificates can have the same signature',
  'default-spelt-out':
    'DER omits default values, certificates of Intel contain one; strict parsers reject the certificate',
  'authority-certificate': 'this is the certificate of a CA, not of an endorsement key',
  'further-certificates':
    'only the first certificate is decoded; pass CA certificates with --trust',
  'no-ek-usage':
    'the extended key usage of an endorsement key certificate (tcg-kp-EKCertificate, 2.23.133.8.1) is missing',
  'unsigned-envelope': 'an envelope without a signature proves nothing',
  'odd-payload-type':
    'the payload type of a runtime policy is usually application/vnd.keylime+json',
} as const

export type WarningId = keyof typeof WHY

/** All warning ids. */
export const WARNING_IDS: readonly string[] = Object.keys(WHY)

/** Limit of recorded places per warning; the count is not limited. */
const MOST_PLACES = 20

export interface Warnings {
  add(id: WarningId, place: Place): void
  list(): readonly Warning[]
}

/** Collects warnings by id, in the order of their first occurrence. */
export function collectWarnings(): Warnings {
  const seen = new Map<WarningId, { count: number; places: Place[] }>()
  return {
    add(id, place) {
      const row = seen.get(id) ?? { count: 0, places: [] }
      row.count += 1
      if (row.places.length < MOST_PLACES) row.places.push(place)
      seen.set(id, row)
    },
    list: () => [...seen].map(([id, { count, places }]) => ({ id, why: WHY[id], count, places })),
  }
}
