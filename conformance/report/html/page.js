/**
 * The only script of the page: filters, opens and closes sections, and unfolds compressed markup when a reader opens
 * it, follows a link to it or filters for it. Without it every scenario that did not pass is still readable. It uses
 * features of browsers of the last three years, and sets only markup of this folder.
 */
;(() => {
  /** If more items match the filter, folds stay closed and show the number of their matches. */
  const FEW = 300
  const tools = document.querySelector('.tools')
  const words = tools.querySelector('input[type=search]')
  const boxes = [...tools.querySelectorAll('input[type=checkbox]')]
  const lists = [...document.querySelectorAll('[data-list]')]
  const folds = [
    ...document.querySelectorAll('details.component, details.unexecuted, details.family'),
  ]
  /** Unfolded pieces by name, each a promise. */
  const pieces = {}
  /** For each list, which of its items match the filter; null without a filter. */
  let chosen = null
  /** Which folds were open before the filter. */
  let openBefore = null
  let turn = 0

  function parsePiece(element) {
    if (element.type === 'application/json') return JSON.parse(element.textContent)
    const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    return new Response(stream).json()
  }

  function unfold(name) {
    pieces[name] ??= Promise.resolve(parsePiece(document.getElementById(`piece-${name}`)))
    return pieces[name]
  }

  async function fill(place) {
    if (!place.dataset.piece) return
    const markups = await unfold(place.dataset.piece)
    if (!place.dataset.piece) return
    place.innerHTML = markups[place.dataset.key]
    delete place.dataset.piece
    if (place.dataset.list) showChildren(place)
  }

  const matchesOf = (list) => chosen[list.dataset.list]
  const countOf = (list) => matchesOf(list).filter(Boolean).length
  const listsIn = (fold) => lists.filter((list) => fold.contains(list))
  const sum = (some) => some.reduce((all, list) => all + countOf(list), 0)

  function showChildren(list) {
    if (list.dataset.piece) return
    for (const [at, child] of [...list.children].entries())
      child.hidden = chosen !== null && !matchesOf(list)[at]
  }

  function showCount(place, count) {
    if (place === null) return
    place.textContent = count === null ? '' : `${count} ${count === 1 ? 'match' : 'matches'}`
  }

  function showFold(fold, at, isFew) {
    const count = chosen ? sum(listsIn(fold)) : null
    fold.hidden = count === 0
    if (chosen) fold.open = isFew && count > 0
    else if (openBefore) fold.open = openBefore[at]
    showCount(fold.querySelector(':scope > summary > .matches'), count)
  }

  function showList(list, isFew) {
    const count = chosen ? countOf(list) : null
    list.hidden = count === 0
    const table = list.closest('.requirements')
    if (table) table.hidden = count === 0
    showChildren(list)
    showCount(list.querySelector(':scope > .rest .matches'), count)
    if (isFew && count > 0 && !list.closest('details')) void fill(list)
  }

  function show() {
    const isFew = chosen !== null && sum(lists) <= FEW
    if (chosen) openBefore ??= folds.map((fold) => fold.open)
    for (const [at, fold] of folds.entries()) showFold(fold, at, isFew)
    for (const list of lists) showList(list, isFew)
    if (!chosen) openBefore = null
    for (const sentence of document.querySelectorAll('.nothing')) {
      const own = listsIn(sentence.parentElement)
      sentence.hidden = chosen === null || own.length === 0 || sum(own) > 0
    }
  }

  async function filter() {
    turn += 1
    const own = turn
    const parts = words.value.toLowerCase().split(/\s+/).filter(Boolean)
    const wanted = boxes.filter((box) => box.checked).map((box) => box.value)
    const index = await unfold('index')
    if (own !== turn) return
    const outcomes = wanted.map((name) => index.outcomes.indexOf(name))
    const isMatch = ([texts, itemOutcomes, versions]) =>
      (outcomes.length === 0 || itemOutcomes.some((one) => outcomes.includes(one))) &&
      parts.every(
        (part) =>
          texts.some((text) => index.texts[text].includes(part)) ||
          versions.some((version) => index.versions[version].includes(part)),
      )
    const isFiltered = parts.length + wanted.length > 0
    chosen = isFiltered ? index.lists.map((items) => items.map(isMatch)) : null
    show()
    keepInAddress(words.value, wanted)
  }

  /** The filter is in the address, so that it can be sent and comes back with the page. */
  function keepInAddress(text, wanted) {
    const query = new URLSearchParams()
    if (text !== '') query.set('filter', text)
    for (const outcome of wanted) query.append('only', outcome)
    const search = query.size === 0 ? '' : `?${query}`
    if (search !== location.search)
      history.replaceState(null, '', `${location.pathname}${search}${location.hash}`)
  }

  function setFilter(text, wanted) {
    words.value = text
    for (const box of boxes) box.checked = wanted.includes(box.value)
    return filter()
  }

  function openAll(open) {
    for (const element of document.querySelectorAll('details.scenario'))
      if (!element.hidden) element.open = open
  }

  /** The element of an entry of a transcript, once the transcript is unfolded. */
  async function findEntry(name, owner) {
    const inside = await find(owner)
    if (inside === null) return null
    await Promise.all([inside, ...inside.querySelectorAll('[data-piece]')].map(fill))
    return document.getElementById(name)
  }

  async function find(name) {
    const place = document.getElementById(name)
    if (place) return place
    const owner = name.replace(/-entry-\d+$/, '')
    if (owner !== name) return findEntry(name, owner)
    for (const list of lists.filter(({ dataset }) => dataset.piece)) {
      const markups = await unfold(list.dataset.piece)
      if (markups[list.dataset.key].includes(`id="${name}"`)) {
        await fill(list)
        return document.getElementById(name)
      }
    }
    return null
  }

  async function reveal() {
    const place = await find(decodeURIComponent(location.hash.slice(1)))
    if (place === null) return
    for (let up = place; up; up = up.parentElement) {
      if (up.tagName === 'DETAILS') up.open = true
      up.hidden = false
    }
    const fold = place.querySelector(':scope > .card > details')
    if (fold) fold.open = true
    await fill(place)
    place.scrollIntoView()
  }

  function fillOpened({ target: fold }) {
    if (!fold.open) return
    for (const place of fold.querySelectorAll('[data-piece]'))
      if (place.closest('details') === fold) void fill(place)
  }

  const isCompressed = document.querySelector('[type="application/gzip"]') !== null
  if (isCompressed && !window.DecompressionStream) return
  tools.hidden = false
  tools.addEventListener('submit', (event) => event.preventDefault())
  tools.addEventListener('input', filter)
  tools.querySelector('[data-open]').addEventListener('click', () => openAll(true))
  tools.querySelector('[data-close]').addEventListener('click', () => openAll(false))
  document.addEventListener('toggle', fillOpened, true)
  for (const button of document.querySelectorAll('button[data-fill]')) {
    button.hidden = false
    button.addEventListener('click', () => fill(button.closest('[data-piece]')))
  }
  for (const cell of document.querySelectorAll('a[data-words]'))
    cell.addEventListener('click', () => setFilter(cell.dataset.words, [cell.dataset.outcome]))
  addEventListener('hashchange', reveal)
  const given = new URLSearchParams(location.search)
  const filtered = given.size > 0 && setFilter(given.get('filter') ?? '', given.getAll('only'))
  if (location.hash) void Promise.resolve(filtered).then(reveal)
})()
