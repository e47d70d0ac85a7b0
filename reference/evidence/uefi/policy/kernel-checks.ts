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

/** Commands of grub begin with a name, a bracket or an assignment; a command line begins with the path of a kernel. */
const COMMAND = /^(?:[[!:.]|[a-z_][\w.-]*(?:[=\s]|$))/i

/** Commands of grub that start a kernel; a command line follows. */
const STARTS =
  /^(?:linux|linux16|linuxefi|legacy_kernel|multiboot2?|module2?|xen_(?:hypervisor|module)|k(?:free|net|open)bsd|xnu_kernel(?:64)?)\s+/

/**
 * What a boot loader measured, in two: command lines, and commands. No digest covers the label, so that every text
 * is judged: one that is no command by its words is a command line under any label.
 */
function textsOf(boot: BootPolicyCase): {
  readonly lines: readonly string[]
  readonly commands: readonly string[]
} {
  const lines: string[] = []
  const commands: string[] = []
  for (const { data } of eventsOf(boot, 'command')) {
    if (data.kind !== 'known' || !('text' in data.value)) continue
    const { text } = data.value
    const isLine = data.value.what === 'command' && data.value.of === 'kernel'
    if (isLine || !COMMAND.test(text)) lines.push(text)
    else commands.push(text)
  }
  return { lines, commands }
}

/** The command lines of kernels that a boot loader measured. */
export function commandLines(boot: BootPolicyCase): readonly string[] {
  return textsOf(boot).lines
}

/** grub measures a command before it runs it, without the quotes that the command line has. */
function unquoted(text: string): string {
  return text.replaceAll(/["'\\]/g, '')
}

/** Whether every kernel that a command starts has one of the command lines. */
function hasLineOfEach(boot: BootPolicyCase): boolean {
  const { lines, commands } = textsOf(boot)
  const known = new Set(lines.map(unquoted))
  const started = commands.filter((text) => STARTS.test(text))
  return started.every((text) => known.has(unquoted(text.replace(STARTS, ''))))
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
      if (!images) return true
      const seen = imageDigests(boot)
      return images.length === seen.length && images.every((each, at) => each === seen[at])
    },
  },
  { name: 'vmlinuz', fits: (boot, { vmlinuz }) => isOnly(vmlinuz, fileDigests(boot, 'vmlinuz')) },
  { name: 'initrd', fits: (boot, { initrd }) => isOnly(initrd, fileDigests(boot, 'initrd')) },
  {
    name: 'kernel_cmdline',
    fits: (boot, { cmdline }) => {
      if (!cmdline) return true
      const lines = commandLines(boot)
      if (!hasLineOfEach(boot)) return false
      return lines.length > 0 && lines.every(cmdline) && !hasUnproven(boot)
    },
  },
  {
    name: 'other_files_plain_sha256',
    fits: (boot, { vmlinuz, initrd, otherFiles }) => {
      const listed = otherFiles && new Set([vmlinuz, initrd, ...otherFiles])
      return !listed || readFiles(boot).every((digest) => listed.has(digest))
    },
  },
]

/** Digests of what was read before the kernel started, whatever its name: no digest covers a name. */
export function readFiles(boot: BootPolicyCase): readonly string[] {
  return eventsOf(boot, 'file').map(({ digest }) => toHex(digest))
}

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
    files: readFiles(boot),
  }
}
