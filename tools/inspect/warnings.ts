import type { Place, Warning } from './inspection.ts'

/** Everything that is worth a warning, and why. */
const WHY = {
  'not-tpm-generated':
    'a TPM puts ff544347 in front of what it made itself; anything else may have been made outside, and only signed inside',
  'not-a-quote':
    'another statement by the same key, over the same nonce, says nothing about the registers',
  'unknown-attestation': 'the type is none that the TPM specification has',
  'empty-nonce': 'without the nonce of a verifier an old quote cannot be told from a new one',
  'clock-not-safe': 'the clock may have been higher before: a comparison with it proves no order',
  'empty-selection': 'no register was read, so the quote says nothing about the machine',
  'repeated-bank': 'two selections of one bank can be read in two ways',
  'unknown-bank':
    'the hash algorithm of the bank is not known here, so its values have no known length',
  'odd-bitmap': 'every PC has 24 registers, and so a bitmap of 3 bytes',
  'missing-bank': 'no SHA-256 bank: SHA-1 can be forged, and most policies are written for SHA-256',
  'padded-bank':
    'a kernel that loads SHA-384 and SHA-512 as modules extends PCR 10 of these banks with the SHA-1 template hash and zeros: a list has to be replayed by that rule',
  'odd-digest-size': 'no hash known here has digests of this length',
  'trailing-bytes': 'nothing accounts for these bytes: one reader may skip what another believes',
  'odd-base64': 'one spelling of base64 is right; another reader may refuse this one',
  'compressed-part': 'only API 1.0 compressed the parts of a quote; later readers refuse them',
  'unknown-signature': 'the scheme is none that can be verified here',
  'unknown-hash': 'the hash algorithm is not known here',
  'weak-hash': 'collisions of SHA-1 can be made: two statements may have one signature',
  'odd-signature-size': 'no usual key makes signatures of this length',
  'odd-blob-size': 'tpm2-tools writes 136 + 532·n bytes, n lists of eight values',
  'counts-too-large':
    'a count says more than its slots can hold: it was written in another byte order, or by hand',
  'odd-padding': 'bytes that nobody reads should be zero; here something hides in them',
  'odd-value-size': 'the value is not as long as a digest of its bank',
  'value-count': 'the number of values is not the number of selected registers',
  violation:
    'the kernel could not vouch for the file: it was written while it was read (open-writers), or measured while open for writing (ToMToU)',
  'name-underscore':
    'the kernel replaces blanks in names by _ before it hashes them: `a b` and `a_b` look alike here',
  'name-control':
    'the name holds characters that a terminal obeys or hides; they are spelled out here',
  'name-blank': 'a kernel never prints a blank in a name: this was written by something else',
  'name-newline':
    'the name holds a newline: a reader that cuts at lines sees an entry that is none',
  'name-not-utf8': 'the name is no UTF-8: it cannot travel in JSON as it is',
  'unknown-template': 'the fields of this template are not known: only its listed hash can be used',
  'template-hash':
    'the listed hash is not that of the data: the entry was changed, or is no entry of this kernel',
  'unreadable-field':
    'the text of the field is not what its template wants: its bytes cannot be made again',
  'odd-file-digest': 'the digest is not as long as one of its algorithm',
  'weak-file-digest': 'files with the same MD5 or SHA-1 can be made at will',
  'odd-file-signature': 'a file signature begins with type, version 2, hash, key id and its length',
  'no-boot-aggregate':
    'the first entry of a boot is boot_aggregate: a list that begins otherwise is a part of one',
  'late-boot-aggregate':
    'boot_aggregate is written once, first: a later one is another boot, or an invention',
  'other-pcr':
    'IMA extends PCR 10 unless its policy says otherwise; this entry is in no replay of PCR 10',
  'no-final-newline': 'the kernel ends every line: the end of the list may have been cut',
  'carriage-return':
    'the list went through something that changes line ends; its hashes may not hold',
  'list-continues': 'the registers were read before the last entries were made',
  'event-digest':
    'events of this type have the digest of their data; here it is of something else, and the data proves nothing',
  'separator-error':
    'a separator that is not 0 or ffffffff says that something went wrong before it',
  'separator-again':
    'a PCR has one separator, between firmware and boot loader: a second one was written by somebody else',
  'event-type':
    'the type is none that the specification has: what the digest is of nobody can tell',
  'event-data':
    'the data is not what its type wants: one reader may see something in it, another not',
  'event-pcr': 'a PC has PCR 0 to 23; the event cannot have been measured',
  'event-bank': 'the event lacks a bank that the header states: that bank cannot be replayed',
  'informs-digest':
    'an event that informs is not extended, so its digest should be zeros: a careless reader may extend it',
  'locality-place': 'the startup locality is told once, in PCR 0, before anything is measured',
  'sha1-log': 'the log has SHA-1 digests alone: a quote of another bank says nothing about it',
  'log-padding':
    'firmware hands out its whole buffer: what follows the last event is not part of the log',
  'guest-registers':
    'a confidential guest counts registers from 1 (MRTD, RTMR0-3): they are no PCRs of a TPM',
  'duplicate-key': 'one reader takes the first value, another the last',
  'missing-member': 'a policy needs this member; a verifier will refuse it without',
  'wrong-type': 'a verifier will refuse a policy in which this is something else',
  'placeholder-policy':
    'generator 0 or 1 is a placeholder: some verifiers do not judge by such a policy',
  'upper-case-digest': 'digests are compared as lower-case text: this one can never match',
  'no-digest': 'a path without a digest can never match',
  'path-blank': 'the kernel lists blanks in names as _: this path can never match',
  'wide-exclude': 'the expression excludes every file, or nearly: nothing is judged',
  'bad-exclude':
    'a verifier may ignore all excludes, or refuse the policy, when one cannot be compiled',
  'unsafe-exclude':
    'lookaround, back references and nested repeats are refused by linear-time engines, or take for ever',
  'nv-header':
    'tools of TPM 1.2 left a header of 7 bytes before the certificate: other readers see no certificate at all',
  'nv-padding':
    'the index in the TPM is larger than the certificate: other readers may refuse what follows it',
  'oaep-label':
    'the key is labelled RSAES-OAEP, as STMicroelectronics did: OpenSSL does not load it under that label',
  'set-order':
    'DER sorts the members of a set, and Nuvoton did not: readers that encode it anew find another name',
  'weak-certificate':
    'collisions of this hash can be made: one signature may stand under two certificates',
  'default-spelt-out':
    'DER leaves a default out, and Intel wrote it: strict readers refuse the certificate',
  'authority-certificate': 'the key of an authority signs, and is no endorsement key',
  'further-certificates':
    'one certificate is that of the key: the others of the file are not looked at here, and may be those of its makers (--trust)',
  'no-ek-usage':
    'it does not say that it is for an endorsement key (tcg-kp-EKCertificate, 2.23.133.8.1)',
  'unsigned-envelope': 'an envelope without a signature vouches for nothing',
  'odd-payload-type': 'a runtime policy in an envelope is application/vnd.keylime+json in practice',
} as const

export type WarningId = keyof typeof WHY

/** Every warning there is. */
export const WARNING_IDS: readonly string[] = Object.keys(WHY)

/** At most so many places of one warning are kept; the count is always whole. */
const MOST_PLACES = 20

export interface Warnings {
  add(id: WarningId, place: Place): void
  list(): readonly Warning[]
}

/** Collects warnings in the order in which they are first seen, the places of one kind together. */
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
