import { bindNodeKey, KEY_PCR, type PullMachine } from '../machine/pull-machine.ts'
import { type SoftPcrs, softPcrs } from '../platform/soft-pcrs.ts'
import type { TPMS_ATTEST } from '../tpm/attest.ts'
import { TPM_ST } from '../tpm/constants.ts'
import type { Misbehaviour, Results } from './misbehaviour.ts'
import { nodeKeyOf, STRANGER } from './node-key.ts'

const IMA_PCR = 10

/** Flips one bit in one of the three parts of a `quote` text (interface document, "Pull-mode agent resources"). */
function alterPart(results: Results, part: 0 | 1 | 2, at: number): Results {
  const parts = String(results['quote']).slice(1).split(':')
  const bytes = Buffer.from(parts[part] ?? '', 'base64')
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return { ...results, quote: `r${parts.with(part, bytes.toString('base64')).join(':')}` }
}

function without(results: Results, ...names: readonly string[]): Results {
  return Object.fromEntries(Object.entries(results).filter(([name]) => !names.includes(name)))
}

/** Mutates later attestations of a machine whose key is in software. */
async function mutateAttestations(
  machine: PullMachine,
  mutateAttest: (attest: TPMS_ATTEST) => TPMS_ATTEST,
) {
  if (!('mutateAttest' in machine))
    throw new TypeError(
      'a machine with a TPM cannot sign mutated attestations; use a machine with software keys',
    )
  machine.mutateAttest = mutateAttest
}

/** Changes the bytes of PCR 16 in each bank, as no TPM does. */
async function changeKeyPcr(
  { tpm }: PullMachine,
  change: (byte: number, at: number, value: Uint8Array) => number,
) {
  if (!('become' in tpm))
    throw new TypeError('a TPM cannot set a PCR; use a machine with software keys')
  const soft = tpm as SoftPcrs
  const changed = [...soft.values].map(([key, value]) => {
    const isKeyPcr = key.endsWith(` ${KEY_PCR}`)
    return [key, isKeyPcr ? value.map(change) : value] as const
  })
  soft.become(softPcrs(new Map(changed)))
}

/** The text in lower case; in upper case if it has no capital letter, as one nonce in some 50,000. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return lower === text ? text.toUpperCase() : lower
}

/** Defects of the quote and of the members around it. */
export const QUOTE_MISBEHAVIOURS = {
  'other-nonce': {
    what: 'it quotes over another nonce',
    quotes: (quoting) => ({ ...quoting, nonce: [...quoting.nonce].reverse().join('') }),
  },
  'folded-nonce': {
    what: 'it quotes over the nonce in letters of one case',
    quotes: (quoting) => ({ ...quoting, nonce: folded(quoting.nonce) }),
  },
  'cut-nonce': {
    what: 'it quotes over the nonce without its last character',
    quotes: (quoting) => ({ ...quoting, nonce: quoting.nonce.slice(0, -1) }),
  },
  'empty-nonce': {
    what: 'it quotes over nothing',
    quotes: (quoting) => ({ ...quoting, nonce: '' }),
  },
  'stale-quote': {
    what: 'it repeats its last quote',
    returns: (honest, { before }) => ({ ...honest, quote: before?.['quote'] ?? honest['quote'] }),
  },
  'signature-altered': {
    what: 'one bit of its signature is flipped',
    returns: (honest) => alterPart(honest, 1, -1),
  },
  'attest-altered': {
    what: 'one bit of the signed bytes is flipped',
    returns: (honest) => alterPart(honest, 0, -1),
  },
  'pcr-values-altered': {
    what: 'one bit of a PCR value in its quote is flipped',
    // The first value begins after 132 bytes of selections, two counts and a size.
    returns: (honest) => alterPart(honest, 2, 132 + 4 + 4 + 2),
  },
  'another-key': {
    what: 'it quotes with an unknown key',
    returns: async (honest, { quoting, quoteByAnother }) => ({
      ...honest,
      quote: await quoteByAnother(quoting),
    }),
  },
  'other-bank': {
    what: 'it quotes the SHA-1 bank and names SHA-256',
    quotes: (quoting) => ({ ...quoting, bank: 'sha1' }),
  },
  'other-hash-alg': {
    what: 'it quotes SHA-256 and names SHA-512',
    returns: (honest) => ({ ...honest, hash_alg: 'sha512' }),
  },
  'unknown-hash-alg': {
    what: 'it names a hash algorithm that no TPM has',
    returns: (honest) => ({ ...honest, hash_alg: 'md5' }),
  },
  'unknown-sign-alg': {
    what: 'it names a signature scheme that no TPM has',
    returns: (honest) => ({ ...honest, sign_alg: 'plain' }),
  },
  'other-sign-alg': {
    what: 'it signs with ECDSA and names ECDAA',
    returns: (honest) => ({ ...honest, sign_alg: 'ecdaa' }),
  },
  'other-enc-alg': {
    what: 'it names another algorithm than that of its key',
    returns: (honest) => ({ ...honest, enc_alg: 'rsa4096' }),
  },
  'without-key-pcr': {
    what: 'it does not quote PCR 16',
    quotes: (quoting) => ({ ...quoting, pcrs: quoting.pcrs.filter((pcr) => pcr !== KEY_PCR) }),
  },
  'without-ima-pcr': {
    what: 'it does not quote PCR 10',
    quotes: (quoting) => ({ ...quoting, pcrs: quoting.pcrs.filter((pcr) => pcr !== IMA_PCR) }),
  },
  'key-not-measured': {
    what: 'PCR 16 holds zeros',
    returns: async (honest, { machine, quoting, quote }) => {
      await machine.tpm.pcrReset(KEY_PCR)
      return { ...honest, quote: await quote(quoting) }
    },
  },
  'near-key-measured': {
    what: 'PCR 16 equals the value of its key in the first and the last eight bytes alone',
    returns: async (honest, { machine, quoting, quote }) => {
      await changeKeyPcr(machine, (byte, at, { length }) =>
        at < 8 || at >= length - 8 ? byte : byte ^ 0xff,
      )
      return { ...honest, quote: await quote(quoting) }
    },
  },
  'other-node-key': {
    what: 'it returns a public key that is not the one in PCR 16',
    returns: (honest) =>
      'pubkey' in honest ? { ...honest, pubkey: nodeKeyOf(STRANGER).publicPem } : honest,
  },
  'other-key-measured': {
    what: 'PCR 16 holds another key than the one that it returned before',
    returns: async (honest, { machine, quoting, quote }) => {
      await bindNodeKey(machine, nodeKeyOf(STRANGER).digests)
      return { ...honest, quote: await quote(quoting) }
    },
  },
  'no-node-key': {
    what: 'it returns no public key though one is requested',
    returns: (honest) => without(honest, 'pubkey'),
  },
  'no-quote': { what: 'its results have no quote', returns: (honest) => without(honest, 'quote') },
  'quote-number': { what: 'its quote is a number', returns: (honest) => ({ ...honest, quote: 1 }) },
  'quote-without-r': {
    what: 'its quote does not begin with r',
    returns: (honest) => ({ ...honest, quote: String(honest['quote']).slice(1) }),
  },
  'quote-of-two-parts': {
    what: 'its quote has no PCR values',
    returns: (honest) => ({
      ...honest,
      quote: String(honest['quote']).split(':').slice(0, 2).join(':'),
    }),
  },
  'magic-altered': {
    what: 'it signs a structure without TPM_GENERATED_VALUE',
    happens: (machine) =>
      mutateAttestations(machine, (attest) => ({ ...attest, magic: 0xff544346 })),
  },
  'another-attestation': {
    what: 'it signs the proof of a session in place of a quote',
    happens: (machine) =>
      mutateAttestations(machine, ({ qualifiedSigner: name, ...rest }) => ({
        ...{ ...rest, qualifiedSigner: name, type: TPM_ST.ATTEST_CERTIFY },
        attested: { kind: 'certify', name, qualifiedName: name },
      })),
  },
  'selection-altered': {
    what: 'it signs the numbers of other PCRs than those of its values',
    happens: (machine) =>
      mutateAttestations(machine, ({ attested, ...rest }) => {
        if (attested.kind !== 'quote') return { ...rest, attested }
        const pcrSelect = attested.pcrSelect.map(({ pcrs, ...bank }) => ({
          ...bank,
          pcrs: pcrs.map((pcr) => pcr ^ 1),
        }))
        return { ...rest, attested: { ...attested, pcrSelect } }
      }),
  },
  'clock-back': {
    what: 'the clock of its TPM goes back',
    happens: (machine) =>
      mutateAttestations(machine, ({ clockInfo, ...rest }) => ({
        ...rest,
        clockInfo: { ...clockInfo, clock: 1n },
      })),
  },
  'reset-count-back': {
    what: 'the reset count of its TPM decreases',
    happens: (machine) =>
      mutateAttestations(machine, ({ clockInfo, ...rest }) => ({
        ...rest,
        clockInfo: { ...clockInfo, resetCount: 0 },
      })),
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>
