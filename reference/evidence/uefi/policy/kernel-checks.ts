import { toHex } from '../../../bytes/hex.ts'
import type { Check } from '../../check.ts'
import { textOf } from '../log/text-of.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { broken } from './policy-findings.ts'
import type { ReferenceKernel } from './reference-state.ts'

/** The member of the reference state for the digests of kernels. */
const KERNEL_BANK = 'sha256'

/** What loads from PCR 4 on, in order. */
export function imageDigests(boot: BootPolicyCase): readonly string[] {
  return eventsOf(boot, 'image').map(({ digest }) => toHex(digest))
}

/** The command lines of kernels that a boot loader measured. */
export function commandLines(boot: BootPolicyCase): readonly string[] {
  return eventsOf(boot, 'command').flatMap(({ data }) => {
    const isKernels =
      data.kind === 'known' && data.value.what === 'command' && data.value.of === 'kernel'
    return isKernels ? [data.value.text] : []
  })
}

const FILES = { vmlinuz: /vmlinuz|bzimage/i, initrd: /initrd|initramfs/i } as const

/** Digests of the files of PCR 9 that are called like a kernel, or like a file system that it starts with. */
export function fileDigests(boot: BootPolicyCase, kind: keyof typeof FILES): readonly string[] {
  const named = eventsOf(boot, 'file').filter(({ raw }) => FILES[kind].test(textOf(raw)))
  return named.map(({ digest }) => toHex(digest))
}

/** One member of a kernel in a reference state. */
interface KernelPart {
  readonly name: string
  /** whether it matches, or is not required */
  fits(boot: BootPolicyCase, kernel: ReferenceKernel): boolean
}

const KERNEL_PARTS: readonly KernelPart[] = [
  {
    name: 'images',
    fits: (boot, { images }) => {
      const seen = imageDigests(boot)
      const isSame = images.length === seen.length && images.every((each, at) => each === seen[at])
      return images.length === 0 || isSame
    },
  },
  { name: 'vmlinuz', fits: (boot, { vmlinuz }) => isOnly(vmlinuz, fileDigests(boot, 'vmlinuz')) },
  { name: 'initrd', fits: (boot, { initrd }) => isOnly(initrd, fileDigests(boot, 'initrd')) },
  {
    name: 'kernel_cmdline',
    fits: (boot, { cmdline }) => {
      if (!cmdline) return true
      const lines = commandLines(boot)
      return lines.length > 0 && lines.every(cmdline) && !hasUnproven(boot)
    },
  },
]

function isOnly(wanted: string | undefined, seen: readonly string[]): boolean {
  return wanted === undefined || (seen.length > 0 && seen.every((digest) => digest === wanted))
}

/** A command line without a verified digest may be the effective one. */
function hasUnproven(boot: BootPolicyCase): boolean {
  return eventsOf(boot, 'command').some(({ data }) => data.kind !== 'known')
}

/** The checks of images that are loaded after the firmware. */
export const kernelChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.kernel',
    why: 'from here on the machine does what this kernel and its command line say',
    run: (boot) => {
      const { kernels } = boot.policy.state
      if (kernels === undefined) return undefined
      if (boot.bank !== KERNEL_BANK)
        return broken(
          boot,
          `the digests of kernels are of ${KERNEL_BANK}, the quote is of ${boot.bank}`,
        )
      const others = kernels.map((kernel) =>
        KERNEL_PARTS.filter((part) => !part.fits(boot, kernel)).map(({ name }) => name),
      )
      if (others.some((parts) => parts.length === 0)) return undefined
      const why = others[0] ? `, for the first one by ${others[0].join(', ')}` : ''
      const message = `what was loaded is none of the ${kernels.length} of kernels${why}`
      return broken(boot, message, { got: presentLoaded(boot) })
    },
  },
]

function presentLoaded(boot: BootPolicyCase): Readonly<Record<string, readonly string[]>> {
  return {
    images: imageDigests(boot),
    vmlinuz: fileDigests(boot, 'vmlinuz'),
    initrd: fileDigests(boot, 'initrd'),
  }
}
