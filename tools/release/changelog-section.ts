import { SetupFault } from '../../conformance/input/fault.ts'

/** The section of a version in CHANGELOG.md; before the version has one, that of what is not released. */
export function changelogSection(text: string, version: string): string {
  const sections = text.split(/^(?=## )/m).slice(1)
  const section = [version, 'Unreleased']
    .map((name) => sections.find((one) => /^## \[?([^\]\s]+)/.exec(one)?.[1] === name))
    .find((one) => one !== undefined)
  if (section !== undefined) return `${section.trim()}\n`
  throw new SetupFault(`CHANGELOG.md has neither a section ${version} nor Unreleased`, {
    next: `add the heading "## ${version}"`,
  })
}
