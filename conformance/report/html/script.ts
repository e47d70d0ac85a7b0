/**
 * The only script of the page: it filters, opens and closes. Without it everything is still there to read.
 * It keeps to what browsers of the last five years know, and sets no markup.
 */
export const SCRIPT = `
(function () {
  var tools = document.querySelector('.tools')
  var words = tools.querySelector('input[type=search]')
  var boxes = Array.from(tools.querySelectorAll('input[type=checkbox]'))
  var marked = Array.from(document.querySelectorAll('[data-words]'))
  var scenarios = Array.from(document.querySelectorAll('details.scenario'))
  var nothing = document.querySelector('.nothing')

  function filter() {
    var parts = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
    var wanted = boxes.filter(function (box) { return box.checked }).map(function (box) { return box.value })
    marked.forEach(function (element) {
      var outcomes = element.dataset.outcome.split(' ')
      var named = parts.every(function (part) { return element.dataset.words.includes(part) })
      var chosen = wanted.length === 0 || outcomes.some(function (one) { return wanted.includes(one) })
      element.hidden = !(named && chosen)
    })
    nothing.hidden = scenarios.some(function (element) { return !element.hidden })
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
