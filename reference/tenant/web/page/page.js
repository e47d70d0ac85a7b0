// A script of browsers: the types of Node do not fit.
// @ts-nocheck

/** Milliseconds between two looks at agents and log. */
const EVERY = 3000
/** Agents that are shown at once; the filter finds the others. */
const MOST = 50
/** Requests at the same time. */
const AT_ONCE = 6
/** Lines of the log that stay on the page. */
const MOST_LINES = 2000

/** Operational states of agents that fail, and of those that are not asked for quotes. */
const FAILING = ['failed', 'invalid_quote']
const STOPPED = ['tenant_failed', 'terminated']

const $ = (selector) => document.querySelector(selector)

/** Results of a request; an error's message is the sentence of the server. */
async function ask(path, method = 'GET', body = undefined) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  const reply = await fetch(`/v2${path}`, init)
  const { status, results } = await reply.json()
  if (reply.ok) return results
  throw Object.assign(new Error(status), { code: reply.status })
}

const pathOf = (id, below = '') => `/agents/${encodeURIComponent(id)}${below}`

/** An element with children; texts are never read as markup. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

function complain(sentence) {
  $('#trouble').textContent = sentence
  $('#trouble').hidden = sentence === ''
}

/** Does the work for every item, a few at a time. */
async function forEach(items, work) {
  const waiting = [...items]
  const next = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/** Records by agent id, as last read. */
let records = new Map()
let ids = []
/** Agents of which a change is in hand. */
const busy = new Set()

const isStopped = (record) => STOPPED.includes(record?.state)

const isFailing = (record) =>
  FAILING.includes(record?.state) || (record?.attestation_status === 'FAIL' && !isStopped(record))

/** The class of a state, and its sign for readers who do not see colours. */
function kindOf(record) {
  if (isFailing(record)) return { className: 'bad', sign: '✕ ' }
  return record.added && !isStopped(record)
    ? { className: 'good', sign: '✓ ' }
    : { className: 'soft', sign: '' }
}

function stateOf(record) {
  if (record === undefined) return make('span', { className: 'soft' }, 'not read yet')
  if (record.trouble !== undefined) return make('span', { className: 'bad' }, record.trouble)
  const { className, sign } = kindOf(record)
  const words = isStopped(record) ? ['stopped'] : [record.state, record.attestation_status]
  const text = words.filter((word) => word !== undefined && word !== null && word !== '').join(', ')
  return make('span', { className }, `${sign}${text || 'unknown'}`)
}

function quoteTimeOf(record) {
  const seconds = record?.last_received_quote
  if (typeof seconds !== 'number' || seconds === 0) return '–'
  return new Date(seconds * 1000).toLocaleTimeString([], { hour12: false })
}

function buttonsOf(id, record) {
  if (record === undefined || record.trouble !== undefined) return []
  const button = (label, className, onclick) =>
    make('button', { type: 'button', className, onclick, disabled: busy.has(id) }, label)
  if (!record.added) return [button('Add…', '', () => prepareAddition(id, record))]
  return [
    isFailing(record) || isStopped(record)
      ? button('Reactivate', '', () => change(id, () => ask(pathOf(id), 'PUT')))
      : button('Stop', '', () => change(id, () => ask(pathOf(id, '/stop'), 'PUT'))),
    button('Delete', 'danger', () => confirmDeletion(id)),
  ]
}

function rowOf(id) {
  const record = records.get(id)
  const cell = (name, ...children) => {
    const made = make('td', {}, ...children)
    if (name !== '') made.dataset.name = name
    return made
  }
  const address = record?.ip ? make('code', {}, `${record.ip}:${record.port ?? ''}`) : '–'
  const row = make(
    'tr',
    { className: isFailing(record) ? 'failing' : '' },
    make('th', { scope: 'row' }, make('code', {}, id)),
    cell('State', stateOf(record)),
    cell('Address', address),
    cell('Last quote', quoteTimeOf(record)),
    cell('', ...buttonsOf(id, record)),
  )
  row.dataset.agent = id
  return row
}

const matching = () => {
  const words = $('#filter').value.trim().toLowerCase()
  return ids.filter((id) => id.toLowerCase().includes(words))
}

/** Replaces the rows that differ, so that focus and selection of the others stay. */
function show() {
  const found = matching()
  const shown = found.slice(0, MOST)
  const body = $('#agents tbody')
  const before = new Map([...body.children].map((row) => [row.dataset.agent, row]))
  const rows = shown.map((id) => {
    const [made, old] = [rowOf(id), before.get(id)]
    return old?.isEqualNode(made) ? old : made
  })
  if (rows.length !== body.children.length || rows.some((row, at) => row !== body.children[at])) {
    const focused = document.activeElement?.closest('tr')?.dataset.agent
    const label = document.activeElement?.textContent
    body.replaceChildren(...rows)
    const row = rows.find(({ dataset }) => focused !== undefined && dataset.agent === focused)
    const buttons = [...(row?.querySelectorAll('button') ?? [])]
    buttons.find(({ textContent }) => textContent === label)?.focus()
  }
  $('#agents').hidden = shown.length === 0
  $('#none').hidden = shown.length > 0
  $('#rest').hidden = found.length <= MOST
  $('#rest').textContent = `${found.length - MOST} more; use the filter.`
  const failing = ids.filter((id) => isFailing(records.get(id))).length
  const count = ids.length === 1 ? '1 agent' : `${ids.length} agents`
  $('#summary').textContent = failing === 0 ? count : `${count}, ${failing} failing`
  $('#summary').className = failing === 0 ? '' : 'bad'
}

async function readAgents() {
  ids = (await ask('/agents/')).uuids
  records = new Map(ids.flatMap((id) => (records.has(id) ? [[id, records.get(id)]] : [])))
  await forEach(matching().slice(0, MOST), async (id) => {
    try {
      records.set(id, await ask(pathOf(id)))
    } catch (error) {
      records.set(id, { trouble: error.message })
    }
  })
  show()
}

let position = 0

/** Appends new lines, and stays at the end if the reader was there. A restarted server counts from 0 again. */
async function readLog() {
  const { log, pos } = await ask(`/logs/tenant?pos=${position}`)
  const place = $('#log')
  if (pos < position) {
    position = 0
    place.replaceChildren()
    return readLog()
  }
  position = pos
  if (log.length === 0) return undefined
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 8
  place.append(...log.map((line) => make('span', {}, `${line}\n`)))
  while (place.children.length > MOST_LINES) place.firstChild.remove()
  if (isAtEnd) place.scrollTop = place.scrollHeight
  return undefined
}

/** A sentence about the connection to this server disappears once it answers. */
let isAway = false

async function look() {
  try {
    await readAgents()
    if (isAway) complain('')
    isAway = false
  } catch (error) {
    isAway = true
    complain(error.code === undefined ? 'The tenant does not answer.' : error.message)
    $('#summary').textContent = 'Agents cannot be read'
  }
}

let looking
/** Looks again, after a look that is in hand. */
function lookAgain() {
  looking = (looking ?? Promise.resolve()).then(look)
  return looking
}

async function change(id, work) {
  complain('')
  busy.add(id)
  show()
  try {
    await work()
  } catch (error) {
    complain(error.code === undefined ? 'The tenant does not answer.' : error.message)
  } finally {
    busy.delete(id)
    await lookAgain()
  }
}

function confirmDeletion(id) {
  const dialog = $('#confirm')
  $('#question').textContent = `Delete agent ${id} from the verifier?`
  dialog.returnValue = 'no'
  dialog.onclose = () => {
    if (dialog.returnValue === 'yes') void change(id, () => ask(pathOf(id), 'DELETE'))
  }
  dialog.showModal()
}

function prepareAddition(id, { ip }) {
  const { elements } = $('#add')
  elements.agent_id.value = id
  elements.ip.value = ip ?? ''
  $('#add').scrollIntoView({ block: 'center' })
  elements[ip ? 'kind' : 'ip'].focus()
}

function showKind() {
  const { value } = $('#add').elements.kind
  for (const label of document.querySelectorAll('#add [data-kind]'))
    label.hidden = !label.dataset.kind.split(' ').includes(value)
}

/** The content of a file in base64. */
function contentOf(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read`))
    reader.readAsDataURL(file)
  })
}

async function fileMembers(input, name) {
  const [file] = input.files
  if (file === undefined) return {}
  return { [`${name}_data`]: await contentOf(file), [`${name}_name`]: file.name }
}

/** The body of POST agents/{agent_id}. */
async function bodyOf({ ip, kind, keyfile, file, ca_dir, ca_dir_pw, include }) {
  const members = { ip: ip.value.trim() }
  if (kind.value === 'keyfile') Object.assign(members, await fileMembers(keyfile, 'keyfile'))
  if (['file', 'keyfile'].includes(kind.value))
    Object.assign(members, await fileMembers(file, 'file'))
  if (kind.value === 'ca_dir') {
    const files = [...include.files]
    Object.assign(members, {
      ca_dir: ca_dir.value.trim(),
      ca_dir_pw: ca_dir_pw.value,
      include_dir_data: await Promise.all(files.map(contentOf)),
      include_dir_name: files.map(({ name }) => name),
    })
  }
  return members
}

async function add(event) {
  event.preventDefault()
  const { elements } = $('#add')
  const id = elements.agent_id.value.trim()
  const button = $('#add button')
  button.disabled = true
  await change(id, async () => {
    await ask(pathOf(id), 'POST', await bodyOf(elements))
    $('#add').reset()
    showKind()
  })
  button.disabled = false
}

$('#add').addEventListener('submit', add)
$('#add').elements.kind.addEventListener('change', showKind)
$('#filter').addEventListener('input', () => {
  show()
  lookAgain()
})

/** Repeats work while the page is visible; it never fails. */
async function keepOn(work, every) {
  if (!document.hidden) await work()
  setTimeout(keepOn, every, work, every)
}

void keepOn(lookAgain, EVERY)
// The log grows while a change is in hand; look() says when the server is away.
void keepOn(() => readLog().catch(() => undefined), 1000)
