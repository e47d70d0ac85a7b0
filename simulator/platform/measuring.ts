import type { ImaEntry } from '../ima/list.ts'
import { imaBufEntry, imaEntry, violationEntry } from '../ima/make-entry.ts'
import { BANKS, digest } from '../tpm/hash.ts'
import { extendEntry } from './replay.ts'
import type { Pcrs } from './soft-pcrs.ts'

/** Measurements of a machine: each reaches the list first and then the PCR, as in a kernel. */
export interface Measuring {
  /**
   * Sets the template for later files and violations; initially `ima-sig`. Throws RangeError for an unknown
   * template.
   */
  useTemplate(template: string): void
  /** Measures a file: appends an entry and extends PCR 10 in all banks. The digest's length determines its hash. */
  measure(path: string, fileDigest: Uint8Array): Promise<ImaEntry>
  /** Records a violation of a file: an entry of zeros, and 0xFF into PCR 10. */
  violate(path: string): Promise<ImaEntry>
  /** Measures critical data under its label, or a key (DER) under the keyring it was added to. */
  measureBuffer(name: string, buffer: Uint8Array): Promise<ImaEntry>
  /** Appends any entry and extends its PCR in all banks as a kernel would. */
  append(entry: ImaEntry): Promise<void>
  /** Extends a PCR in every bank with that bank's hash of the data, without a log entry. */
  extend(pcr: number, data: Uint8Array): Promise<void>
}

/** Writes to the list and to the PCRs of one machine. */
export function measuring(tpm: Pick<Pcrs, 'pcrExtend'>, entries: ImaEntry[]): Measuring {
  let template = 'ima-sig'
  const append = async (entry: ImaEntry): Promise<ImaEntry> => {
    entries.push(entry)
    await extendEntry(tpm, entry)
    return entry
  }
  return {
    useTemplate(name) {
      violationEntry('', name)
      template = name
    },
    measure: async (path, fileDigest) => append(imaEntry(template, { path, digest: fileDigest })),
    violate: async (path) => append(violationEntry(path, template)),
    measureBuffer: async (name, buffer) => append(imaBufEntry(name, buffer)),
    append: async (entry) => void (await append(entry)),
    extend: (pcr, data) =>
      tpm.pcrExtend(pcr, Object.fromEntries(BANKS.map((bank) => [bank, digest(bank, data)]))),
  }
}
