import { visible, visibleLine } from './visible.ts'

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escapeEntities = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? character)

/** Character data: XML 1.0 forbids most controls, so they are spelled out; `]]>` loses its `>`. */
export const xmlText = (text: string): string => escapeEntities(visible(text))

const xmlAttribute = (text: string): string => escapeEntities(visibleLine(text))

type Attributes = Readonly<Record<string, string | number>>

export const element = (
  name: string,
  attributes: Attributes,
  content: readonly string[],
): string => {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`)
    .join('')
  if (content.length === 0) return `<${name}${written}/>`
  return `<${name}${written}>${content.join('')}</${name}>`
}

/** The result of a testcase in JUnit's terms. */
export type Kind = 'passed' | 'failure' | 'error' | 'skipped'

/** A testcase; `xml` is its element. */
export interface Case {
  readonly kind: Kind
  readonly ms: number
  readonly xml: string
}

/** A testsuite with its properties. */
export interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
  readonly properties: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly timestamp: string
}

export const seconds = (ms: number): string => (ms / 1000).toFixed(3)

export const isRed = (kind: Kind): boolean => kind === 'failure' || kind === 'error'

const countsOf = (cases: readonly Case[]) => {
  const ofKind = (kind: Kind): number => cases.filter((one) => one.kind === kind).length
  return {
    tests: cases.length,
    failures: ofKind('failure'),
    errors: ofKind('error'),
    skipped: ofKind('skipped'),
    time: seconds(cases.reduce((sum, one) => sum + one.ms, 0)),
  }
}

const suiteXml = ({ name, cases, properties, timestamp }: Suite): string => {
  const rows = Object.entries(properties).map(([key, value]) =>
    element('property', { name: key, value }, []),
  )
  const attributes = { name, ...countsOf(cases), timestamp }
  const parts = [element('properties', {}, rows), ...cases.map(({ xml }) => xml)]
  return `  ${element('testsuite', attributes, [...parts.map((xml) => `\n    ${xml}`), '\n  '])}`
}

/** The text of a JUnit file. */
export const presentJunit = (name: string, suites: readonly Suite[]): string => {
  // junit-10.xsd of Jenkins has no `skipped` here.
  const { skipped: _, ...counts } = countsOf(suites.flatMap(({ cases }) => cases))
  const content = suites.map((suite) => `\n${suiteXml(suite)}`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...counts }, [...content, '\n'])}\n`
}
