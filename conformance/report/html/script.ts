/**
 * The only script of the page: it filters, opens, closes, and unfolds the transcripts of passing scenarios where a large
 * run has them compressed. Without it everything else is still there to read. It keeps to what browsers of the last three
 * years know, and the only markup it sets is what this folder wrote.
 */
export const SCRIPT = `
(function () {
  var tools = document.querySelector('.tools')
  var words = tools.querySelector('input[type=search]')
  var boxes = Array.from(tools.querySelectorAll('input[type=checkbox]'))
  var scenarios = Array.from(document.querySelectorAll('details.scenario'))
  var rows = Array.from(document.querySelectorAll('tr[data-row]'))
  var folds = Array.from(document.querySelectorAll('details.component, details.unexecuted, details.family'))
  var marked = Array.from(document.querySelectorAll('[data-words]')).map(function (element) {
    return { element: element, words: element.dataset.words, outcomes: element.dataset.outcome.split(' ') }
  }).concat(rows.map(function (row) {
    var component = row.closest('.component').dataset.component
    return { element: row, words: (component + ' ' + row.textContent).toLowerCase(), outcomes: row.dataset.outcome.split(' ') }
  }))
  var before = null
  var pieces = {}

  function isShown(element) { return !element.hidden }

  function foldAround(filtering) {
    if (filtering && !before) before = folds.map(function (fold) { return fold.open })
    folds.forEach(function (fold, at) {
      var some = Array.from(fold.querySelectorAll('tr[data-row], .scenario')).some(isShown)
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

  function unfolded(at) {
    if (!pieces[at]) {
      var bytes = Uint8Array.from(atob(document.getElementById('piece-' + at).textContent), function (letter) { return letter.charCodeAt(0) })
      pieces[at] = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
    }
    return pieces[at]
  }

  function fill(scenario) {
    var place = scenario.querySelector('.deferred')
    if (!place) return Promise.resolve()
    return unfolded(place.dataset.piece).then(function (byKey) {
      if (place.isConnected) place.outerHTML = byKey[place.dataset.key]
    }, function () {
      place.textContent = 'This browser cannot unfold what is compressed here; result.json has it.'
    })
  }

  function reveal() {
    var name = decodeURIComponent(location.hash.slice(1))
    var place = document.getElementById(name)
    var scenario = document.getElementById(name.replace(/-entry-\\d+$/, ''))
    if (!place && scenario && scenario.querySelector('.deferred')) return fill(scenario.closest('.scenario')).then(reveal)
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
  scenarios.forEach(function (element) {
    element.addEventListener('toggle', function () { if (element.open) fill(element) })
  })
  addEventListener('hashchange', reveal)
  if (location.hash) reveal()
})()
`
