import type { CatalogueRow, FieldType, ReplyName } from '../../conformance/catalogue/requirement.ts'
import { typesOf } from '../../conformance/catalogue/requirement.ts'
import { fieldCells, MEMBER_RANGE } from '../../conformance/schemas/field-cells.ts'

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

/** What is known of one member, and of those below it. */
interface Member {
  types: Set<FieldType>
  values?: readonly unknown[]
  says?: string
  optional: boolean
  readonly members: Map<string, Member>
  /** Elements of a list. */
  items?: Member
  /** Elements that have a member with a value, by `member=value`. */
  readonly kinds: Map<string, Member>
}

const newMember = (): Member => ({
  types: new Set(),
  optional: false,
  members: new Map(),
  kinds: new Map(),
})

/**
 * The schema of the body of a reply: the members that the rows of the catalogue require in this version, with their types,
 * values and sentences. Other members may be there. Undefined if no row is about this reply.
 */
export function replySchema(
  rows: readonly CatalogueRow[],
  reply: ReplyName,
  version: string,
): Schema | undefined {
  const root = newMember()
  const cells = fieldCells(rows, reply, version).filter(
    ({ requirement }) => requirement !== MEMBER_RANGE,
  )
  if (cells.length === 0) return undefined
  for (const { requirement, field } of cells) {
    // Of two paths the document has one or the other, so neither is required.
    const paths = [field.path, ...(field.or === undefined ? [] : [field.or])]
    for (const path of paths) {
      const member = memberAt(root, path)
      const types = typesOf(field)
      // Rows for single conditions allow what each of them says.
      member.types = new Set([...member.types, ...types])
      member.optional ||= types.includes('absent') || field.when !== undefined || paths.length > 1
      if (field.values !== undefined) member.values = [...(member.values ?? []), ...field.values]
      member.says ??= rows.find(({ id }) => id === requirement)?.says ?? ''
    }
  }
  return schemaOf(root)
}

/** The member at a path of a field row; those on the way are made. */
function memberAt(root: Member, path: string): Member {
  const steps = path.match(/[^.[\]]+(?=[.[]|$)|\[[^\]]*\]/g) ?? []
  return steps.reduce((member, step) => {
    if (step === '[]') {
      member.items ??= newMember()
      return member.items
    }
    const [map, name] = step.startsWith('[')
      ? ([member.kinds, step.slice(1, -1)] as const)
      : ([member.members, step] as const)
    const next = map.get(name) ?? newMember()
    map.set(name, next)
    return next
  }, root)
}

function schemaOf(member: Member): Schema {
  const { values, says, items, kinds } = member
  const isList = items !== undefined || kinds.size > 0
  const types = typesIn(member, isList)
  const isNullable = types.includes('null')
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(values && { enum: [...new Set(isNullable ? [...values, null] : values)] }),
    ...(member.types.has('empty') && !member.types.has('object') && { maxProperties: 0 }),
    ...(says && { description: says }),
    ...(member.members.size > 0 && propertiesOf(member)),
    ...(isList && { items: itemsOf(member) }),
  }
}

function typesIn({ types, members }: Member, isList: boolean): readonly string[] {
  const named = [...types].filter((type) => type !== 'absent' && type !== 'empty')
  const implied = isList ? ['array'] : members.size > 0 || types.has('empty') ? ['object'] : []
  return [...new Set([...named, ...(named.length > 0 && !types.has('empty') ? [] : implied)])]
}

function propertiesOf({ members }: Member): Schema {
  const required = [...members].filter(([, one]) => !isOptional(one)).map(([name]) => name)
  return {
    properties: Object.fromEntries([...members].map(([name, one]) => [name, schemaOf(one)])),
    ...(required.length > 0 && { required }),
  }
}

/** A member without a row of its own is there if one below it has to be. */
function isOptional(member: Member): boolean {
  if (member.types.size > 0 || member.optional) return member.optional
  const below = [...member.members.values(), ...(member.items ? [member.items] : [])]
  return below.every(isOptional)
}

function itemsOf({ items, kinds }: Member): Schema {
  const conditions = [...kinds].map(([kind, member]) => {
    const [name = '', value = ''] = kind.split('=')
    const has = { properties: { [name]: { const: value } }, required: [name] }
    return { anyOf: [{ not: has }, schemaOf(member)] }
  })
  return { ...(items && schemaOf(items)), ...(conditions.length > 0 && { allOf: conditions }) }
}
