import type { ImaEntry } from '../../ima/list.ts'
import { hashedEntry, imaEntry } from '../../ima/make-entry.ts'
import { cat, filled, fromHex, text, toHex } from '../../tpm/write.ts'
import type { JsonObject, Variant } from '../form.ts'
import {
  against,
  asciiMeasured,
  contentOf,
  EITHER,
  ENTRIES,
  PASS,
  policyOver,
  type Row,
  ran,
  variantsOf,
} from './list-evidence.ts'

const UNLISTED = against('ima.validation.ima-ng.not_in_allowlist')

/** An entry whose name contains blanks, as older kernels wrote it. */
function withBlanks(path: string): ImaEntry {
  const digestField = cat(text('sha256:'), filled(1), contentOf(path))
  return hashedEntry({ template: 'ima-ng', fields: [digestField, text(`${path}\0`)] })
}

function listed(entries: readonly ImaEntry[]): JsonObject {
  return { ...asciiMeasured(entries), ...policyOver(entries) }
}

function allowed(slug: string, what: string, entry: ImaEntry): Row {
  return { slug, what, change: listed([...ENTRIES, entry]), ...PASS }
}

/** Case 62: names that are hard to parse, of allowed files that ran. */
export function hardNames(): readonly Variant[] {
  const raw = { path: fromHex('2f746d702fff'), digest: filled(32, 3) }
  return variantsOf('e6', 62, 'list', [
    allowed('newline', 'The name of an allowed file has a newline', ran('/tmp/a\nb')),
    allowed('newline-last', 'The name of an allowed file ends in a newline', ran('/tmp/a\n')),
    allowed('newlines', 'The name of an allowed file has three newlines', ran('/tmp/\n\n\nb')),
    allowed('tab', 'The name of an allowed file has a tab', ran('/tmp/a\tb')),
    allowed('blank', 'The name of an allowed file has a blank, unescaped', withBlanks('/tmp/a b')),
    allowed('blank-first', 'The name of an allowed file begins with a blank', withBlanks(' a')),
    allowed('blank-last', 'The name of an allowed file ends in a blank', withBlanks('/tmp/a ')),
    allowed('long', 'The name of an allowed file has 4095 bytes', ran(`/${'n'.repeat(4094)}`)),
    allowed('empty', 'The name of an allowed file is empty', ran('')),
    allowed(
      'line-separator',
      'The name of an allowed file has the line separator U+2028',
      ran('/tmp/\u{2028}'),
    ),
    allowed('escape', 'The name of an allowed file clears a terminal', ran('/tmp/\u{1b}[2J')),
    allowed('quotes', 'The name of an allowed file has quotes and backslashes', ran('/tmp/"\\"')),
    allowed(
      'like-a-signature',
      'The name of a file without signature ends like one',
      withBlanks('/tmp/a 0302'),
    ),
    {
      slug: 'not-utf8',
      what: 'The name of a file is no UTF-8, so that no text of a policy is its name',
      change: asciiMeasured([...ENTRIES, imaEntry('ima-ng', raw)]),
      ...UNLISTED,
    },
  ])
}

/** A file whose name contains a newline and the entry of an allowed file with its correct template hash. */
function injecting(blank: string): ImaEntry {
  const good = ran('/usr/bin/first')
  const columns = ['10', toHex(good.templateHash), 'ima-ng']
  const line = [...columns, `sha256:${toHex(contentOf('/usr/bin/first'))}`, '/usr/bin/first']
  return withBlanks(`/tmp/evil\n${line.join(blank)}`)
}

/** Case 63: a name that contains a line; the forbidden file is listed too. */
export function injectedLines(): readonly Variant[] {
  return variantsOf('e6', 63, 'list', [
    {
      slug: 'blanks',
      what: 'The name of a file that is not allowed has a line in it, like that of an allowed one',
      change: asciiMeasured([...ENTRIES, injecting(' ')]),
      ...UNLISTED,
    },
    {
      slug: 'tabs',
      what: 'The same with tabs for blanks, which is what a kernel leaves in a name',
      change: asciiMeasured([...ENTRIES, injecting('\t')]),
      ...UNLISTED,
    },
  ])
}

/** Case 64: the kernel writes `_` for a blank, and a policy may contain either. */
export function underscores(): readonly Variant[] {
  const [blank, underscore] = ['/usr/bin/with space', '/usr/bin/with_space']
  const content = { digest: contentOf(blank) }
  const kernel = imaEntry('ima-ng', { path: underscore, ...content })
  const unescaped = imaEntry('ima-ng', { path: 'x', ...content })
  const [head = filled(0)] = unescaped.fields
  const old = hashedEntry({ template: 'ima-ng', fields: [head, text(`${blank}\0`)] })
  return variantsOf('e6', 64, 'list', [
    {
      slug: 'policy-with-blank',
      what: 'The list names a file with an underscore where the policy has a blank',
      change: { ...asciiMeasured([...ENTRIES, kernel]), ...policyOver([...ENTRIES, old]) },
      ...EITHER,
    },
    {
      slug: 'policy-with-underscore',
      what: 'The list names a file with a blank where the policy has an underscore',
      change: { ...asciiMeasured([...ENTRIES, old]), ...policyOver([...ENTRIES, kernel]) },
      ...EITHER,
    },
  ])
}

/** Case 74: expressions that backtrack without end on a name that almost matches. */
export function catastrophicExcludes(): readonly Variant[] {
  const entries = [...ENTRIES, ran(`/${'a'.repeat(238)}!`)]
  const excludes = ['/(a+)+$', '/(a|aa)+$', '/(a|a?)+$', '/([a-z]+)*$', '/(.*)*x$']
  return variantsOf('e6', 74, 'list', [
    {
      slug: 'excludes',
      what: 'A name of 240 characters almost fits five expressions with nested repetition',
      change: { ...asciiMeasured(entries), ...policyOver(entries, { excludes }) },
      ...PASS,
    },
  ])
}
