/**
 * The only script of the page: it filters, opens and closes. Without it everything is still there to read.
 * It keeps to what browsers of the last five years know, and sets no markup.
 */
export const SCRIPT = `
(function () {
  var tools = document.querySelector('.tools')
  var words = tools.querySelector('input[type=search]')
  var boxes = Array.from(tools.querySelectorAll('input[type=checkbox]'))
  var scenarios = Array.from(document.querySelectorAll('details.scenario'))
  var rows = Array.from(document.querySelectorAll('tr[data-row]'))
  var folds = Array.from(document.querySelectorAll('details.component, details.unexecuted'))
  var marked = Array.from(document.querySelectorAll('[data-words]')).map(function (element) {
    return { element: element, words: element.dataset.words, outcomes: element.dataset.outcome.split(' ') }
  }).concat(rows.map(function (row) {
    var component = row.closest('.component').dataset.component
    return { element: row, words: (component + ' ' + row.textContent).toLowerCase(), outcomes: row.dataset.outcome.split(' ') }
  }))
  var before = null

  function isShown(element) { return !element.hidden }

  function foldAround(filtering) {
    if (filtering && !before) before = folds.map(function (fold) { return fold.open })
    folds.forEach(function (fold, at) {
      var some = Array.from(fold.querySelectorAll('tr[data-row]')).some(isShown)
      fold.hidden = !some
      if (filtering) fold.open = some
      else if (before) fold.open = before[at]
      var table = fold.querySelector(':scope > .wide')
      if (table) table.hidden = !Array.from(table.querySelectorAll('tr[data-row]')).some(isShown)
    })
    if (!filtering) before = null
  }

  function filter() {
    var parts = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
    var wanted = boxes.filter(function (box) { return box.checked }).map(function (box) { return box.value })
    marked.forEach(function (one) {
      var named = parts.every(function (part) { return one.words.includes(part) })
      var chosen = wanted.length === 0 || one.outcomes.some(function (outcome) { return wanted.includes(outcome) })
      one.element.hidden = !(named && chosen)
    })
    foldAround(parts.length > 0 || wanted.length > 0)
    document.querySelector('#scenarios .nothing').hidden = scenarios.some(isShown)
    document.querySelector('#requirements .nothing').hidden = rows.length === 0 || rows.some(isShown)
  }

  function openAll(open) {
    scenarios.forEach(function (element) { if (!element.hidden) element.open = open })
  }

  function reveal() {
    var place = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!place) return
    for (var up = place; up; up = up.parentElement) {
      if (up.tagName === 'DETAILS') up.open = true
      up.hidden = false
    }
    var fold = place.querySelector(':scope > .card > details')
    if (fold) fold.open = true
    place.scrollIntoView()
  }

  tools.hidden = false
  tools.addEventListener('submit', function (event) { event.preventDefault() })
  tools.addEventListener('input', filter)
  tools.querySelector('[data-open]').addEventListener('click', function () { openAll(true) })
  tools.querySelector('[data-close]').addEventListener('click', function () { openAll(false) })
  addEventListener('hashchange', reveal)
  if (location.hash) reveal()
})()
`
