/** The first place in which a JSON value was changed, and what is there now, such as `/evidence/0/data null`. */
export function placeOf(before: unknown, after: unknown, at = ''): string {
  const [was, is] = [Object(before), Object(after)] as readonly Readonly<Record<string, unknown>>[]
  const isOpen = typeof after === 'object' && after !== null && typeof before === 'object'
  const names = isOpen ? Object.keys({ ...was, ...is }) : []
  const name = names.find((one) => JSON.stringify(was?.[one]) !== JSON.stringify(is?.[one]))
  if (name === undefined) return `${at} ${JSON.stringify(after)?.replaceAll(/[^ -~]/g, '?')}`
  return placeOf(was?.[name], is?.[name], `${at}/${name.replaceAll(/[^ -~]/g, '?')}`)
}
