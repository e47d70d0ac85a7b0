/**
 * The only script of the page: filters, opens and closes sections, and unfolds compressed markup when a reader opens
 * it, follows a link to it or filters for it. Without it every scenario that did not pass is still readable. It uses
 * features of browsers of the last three years, and sets only markup of this folder. If more than FEW items match the
 * filter, folds stay closed and show the number of their matches.
 */
export const SCRIPT = `
(function () {
  var FEW = 300
  var tools = document.querySelector('.tools')
  var words = tools.querySelector('input[type=search]')
  var boxes = Array.from(tools.querySelectorAll('input[type=checkbox]'))
  var lists = Array.from(document.querySelectorAll('[data-list]'))
  var folds = Array.from(document.querySelectorAll('details.component, details.unexecuted, details.family'))
  var pieces = {}
  var chosen = null
  var before = null
  var turn = 0

  function unfold(element) {
    if (element.type === 'application/json') return Promise.resolve(JSON.parse(element.textContent))
    var bytes = Uint8Array.from(atob(element.textContent), function (letter) { return letter.charCodeAt(0) })
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
  }

  function unfolded(name) {
    if (!pieces[name]) pieces[name] = unfold(document.getElementById('piece-' + name))
    return pieces[name]
  }

  function fill(place) {
    if (!place.dataset.piece) return Promise.resolve()
    return unfolded(place.dataset.piece).then(function (markups) {
      if (!place.dataset.piece) return
      place.innerHTML = markups[place.dataset.key]
      delete place.dataset.piece
      if (place.dataset.list) showChildren(place)
    })
  }

  function isChosen(list) { return chosen[list.dataset.list] }
  function countOf(list) { return isChosen(list).filter(Boolean).length }
  function within(fold) { return lists.filter(function (list) { return fold.contains(list) }) }
  function sum(some) { return some.reduce(function (all, list) { return all + countOf(list) }, 0) }

  function showChildren(list) {
    if (list.dataset.piece) return
    Array.from(list.children).forEach(function (child, at) { child.hidden = chosen !== null && !isChosen(list)[at] })
  }

  function say(place, count) {
    if (place) place.textContent = count === null ? '' : count + (count === 1 ? ' match' : ' matches')
  }

  function showFold(fold, at, few) {
    var count = chosen ? sum(within(fold)) : null
    fold.hidden = count === 0
    if (chosen) fold.open = few && count > 0
    else if (before) fold.open = before[at]
    say(fold.querySelector(':scope > summary > .matches'), count)
  }

  function showList(list, few) {
    var count = chosen ? countOf(list) : null
    list.hidden = count === 0
    var table = list.closest('.requirements')
    if (table) table.hidden = count === 0
    showChildren(list)
    say(list.querySelector(':scope > .rest .matches'), count)
    if (few && count > 0 && !list.closest('details')) fill(list)
  }

  function show() {
    var few = chosen !== null && sum(lists) <= FEW
    if (chosen && !before) before = folds.map(function (fold) { return fold.open })
    folds.forEach(function (fold, at) { showFold(fold, at, few) })
    lists.forEach(function (list) { showList(list, few) })
    if (!chosen) before = null
    document.querySelectorAll('.nothing').forEach(function (sentence) {
      var own = within(sentence.parentElement)
      sentence.hidden = chosen === null || own.length === 0 || sum(own) > 0
    })
  }

  function filter() {
    var own = ++turn
    var parts = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
    var wanted = boxes.filter(function (box) { return box.checked }).map(function (box) { return box.value })
    unfolded('index').then(function (index) {
      if (own !== turn) return
      var outcomes = wanted.map(function (name) { return index.outcomes.indexOf(name) })
      function isWanted(item) {
        if (outcomes.length > 0 && !item[1].some(function (one) { return outcomes.includes(one) })) return false
        return parts.every(function (part) {
          return item[0].some(function (text) { return index.texts[text].includes(part) }) ||
            item[2].some(function (version) { return index.versions[version].includes(part) })
        })
      }
      chosen = parts.length + wanted.length === 0 ? null : index.lists.map(function (items) { return items.map(isWanted) })
      show()
    })
  }

  function openAll(open) {
    document.querySelectorAll('details.scenario').forEach(function (element) { if (!element.hidden) element.open = open })
  }

  function find(name) {
    var place = document.getElementById(name)
    if (place) return Promise.resolve(place)
    var owner = name.replace(/-entry-\\d+$/, '')
    if (owner !== name) {
      return find(owner).then(function (inside) {
        if (!inside) return null
        return Promise.all([inside].concat(Array.from(inside.querySelectorAll('[data-piece]'))).map(fill)).then(function () {
          return document.getElementById(name)
        })
      })
    }
    return lists.filter(function (list) { return list.dataset.piece }).reduce(function (found, list) {
      return found.then(function (place) {
        return place || unfolded(list.dataset.piece).then(function (markups) {
          if (!markups[list.dataset.key].includes('id="' + name + '"')) return null
          return fill(list).then(function () { return document.getElementById(name) })
        })
      })
    }, Promise.resolve(null))
  }

  function reveal() {
    var name = decodeURIComponent(location.hash.slice(1))
    find(name).then(function (place) {
      if (!place) return
      for (var up = place; up; up = up.parentElement) {
        if (up.tagName === 'DETAILS') up.open = true
        up.hidden = false
      }
      var fold = place.querySelector(':scope > .card > details')
      if (fold) fold.open = true
      fill(place).then(function () { place.scrollIntoView() })
    })
  }

  if (!window.DecompressionStream && document.querySelector('[type="application/gzip"]')) return
  tools.hidden = false
  tools.addEventListener('submit', function (event) { event.preventDefault() })
  tools.addEventListener('input', filter)
  tools.querySelector('[data-open]').addEventListener('click', function () { openAll(true) })
  tools.querySelector('[data-close]').addEventListener('click', function () { openAll(false) })
  document.addEventListener('toggle', function (event) {
    var fold = event.target
    if (!fold.open) return
    fold.querySelectorAll('[data-piece]').forEach(function (place) { if (place.closest('details') === fold) fill(place) })
  }, true)
  document.querySelectorAll('button[data-fill]').forEach(function (button) {
    button.hidden = false
    button.addEventListener('click', function () { fill(button.closest('[data-piece]')) })
  })
  addEventListener('hashchange', reveal)
  if (location.hash) reveal()
})()
`
