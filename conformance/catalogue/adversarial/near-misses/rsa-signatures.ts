import {
  rsaAttester,
  rsaSignature,
  type SoftAttester,
} from '../../../../simulator/machine/soft-attester.ts'
import { TPM_ALG } from '../../../../simulator/tpm/constants.ts'
import { filled } from '../../../../simulator/tpm/write.ts'
import { bankValues } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import { quoteText, softQuote } from '../../../../simulator/vectors/quote/soft-quote.ts'
import { firstBit, lastBit, type Members, type NearMiss, type NearMissGroup } from './near-miss.ts'

const VALUES = [bankValues('sha256', [0, 8, 23])]
const ROW = 'VER-EVIDENCE-SIGNATURE'
const SIZE = 256

/** One RSA key, with RSASSA or RSAPSS in its public area; its primes are searched when the first row is sent. */
const attester = () => rsaAttester('near misses')
const pssAttester = () => rsaAttester('near misses', TPM_ALG.RSAPSS)
const stranger = () => rsaAttester('another key of near misses')

interface QuoteOptions {
  /** The key in the request. */
  readonly by?: SoftAttester
  /** Signs the message of the valid quote. */
  readonly sign?: (message: Uint8Array) => Uint8Array
  /** The message that is sent in its place. */
  readonly sent?: (message: Uint8Array) => Uint8Array
}

function quote({ by = attester(), sign = by.sign, sent }: QuoteOptions = {}): Members {
  const { bytes, evidence } = softQuote(by, VALUES)
  const { message, pcrs } = bytes
  const signature = sign(message)
  return { ...evidence, quote: quoteText({ message: sent?.(message) ?? message, signature, pcrs }) }
}

function miss(sends: string, options: () => QuoteOptions): NearMiss {
  return { sends, breaks: ROW, evidence: () => quote(options()) }
}

const SOUND: NearMiss = { sends: 'a quote by an RSA key', evidence: () => quote() }
const anotherClock = (message: Uint8Array) => message.with(-40, (message.at(-40) ?? 0) ^ 1)

/** Signatures that verify under something else than what they name. */
const MISNAMED: readonly NearMiss[] = [
  ...[32, 222].map((salt) =>
    miss(`an RSAPSS signature that says RSASSA, with ${salt} bytes of salt`, () => ({
      sign: (message) => rsaSignature(attester().pss(message, filled(salt, 0x5a))),
    })),
  ),
  ...(['sha1', 'sha384', 'sha512'] as const).map((bank) =>
    miss(`a signature over ${bank} that says SHA-256`, () => ({
      sign: (message) => rsaSignature(attester().sign(message, bank).subarray(-SIZE)),
    })),
  ),
  {
    ...miss('an RSASSA signature that says RSAPSS, by a key for RSAPSS', () => ({
      by: pssAttester(),
      sign: (message) => rsaSignature(attester().sign(message).subarray(-SIZE), TPM_ALG.RSAPSS),
    })),
    forms: ['rsapss'],
  },
]

/** Good signatures over something else than the message, and bad ones of a key that signed good ones. */
const OTHERS: readonly NearMiss[] = [
  miss('the signature of the quote before, with another clock', () => ({ sent: anotherClock })),
  miss('the signature of the quote before, by another key', () => ({
    by: stranger(),
    sign: attester().sign,
  })),
  ...[64, 96, 100, 129].map((size) =>
    miss(`a signature over the first ${size} bytes of the quote`, () => ({
      sign: (message) => attester().sign(message.subarray(0, size)),
    })),
  ),
  miss('a signature over all but the last byte of the quote', () => ({
    sign: (message) => attester().sign(message.subarray(0, -1)),
  })),
  miss('a signature over all but the first byte of the quote', () => ({
    sign: (message) => attester().sign(message.subarray(1)),
  })),
  miss('a signature with another first bit', () => ({
    sign: (message) => rsaSignature(firstBit(attester().sign(message).subarray(-SIZE))),
  })),
  miss('a signature with another last bit', () => ({
    sign: (message) => rsaSignature(lastBit(attester().sign(message).subarray(-SIZE))),
  })),
]

export const RSA_SIGNATURES: NearMissGroup = {
  id: 'rsa-signatures',
  title:
    'The verifier checks RSA signatures in the scheme and the hash that they name, over all of a quote',
  rows: [
    SOUND,
    ...OTHERS,
    ...MISNAMED,
    {
      sends: 'a quote by a key for RSAPSS',
      forms: ['rsapss'],
      evidence: () => quote({ by: pssAttester() }),
    },
    SOUND,
  ],
}
