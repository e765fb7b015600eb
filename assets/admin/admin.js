import { clock, counted, el, lagGraph, ms, number, span, table } from './draw.js'

const main = document.querySelector('#board')
const standing = document.querySelector('#standing')
const dialog = document.querySelector('#ask')
const notice = document.querySelector('#notice')
let latest = JSON.parse(document.querySelector('script[type="application/json"]').textContent)

/** Asks first; settles with the reason, with '' where none is needed, or with null when it was cancelled. */
function confirmed({ title, text, verb, reason = false }) {
  const field = dialog.querySelector('input')
  dialog.querySelector('h2').textContent = title
  dialog.querySelector('p').textContent = text
  dialog.querySelector('[value=yes]').textContent = verb
  dialog.querySelector('label').hidden = !reason
  field.required = reason
  field.value = ''
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes' ? field.value : null), { once: true })
  })
}

async function act(action, question) {
  const reason = question === null ? '' : await confirmed(question)
  if (reason === null) return
  const body = action.action === 'discard' ? { ...action, reason } : action
  const headers = { 'Content-Type': 'application/json', 'X-Admin-Seal': main.dataset.seal }
  try {
    const response = await fetch('/actions', { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    tell(response.ok ? `Asked for: ${action.action} of ${action.projection}.` : answer.message, !response.ok)
  } catch {
    tell('The service could not be reached.', true)
  }
}

function tell(text, bad) {
  notice.textContent = text
  notice.classList.toggle('bad', bad)
  notice.hidden = false
  clearTimeout(tell.timer)
  tell.timer = setTimeout(() => {
    notice.hidden = true
  }, 6000)
}

const button = (label, action, question) => el('button', { type: 'button', class: 'quiet', onclick: () => act(action, question) }, label)

function buttons({ name, generations, rebuild }) {
  if (rebuild !== null) {
    const text = `What the ${rebuild.kind} has made so far is removed. Readers notice nothing.`
    return [
      button('Abort', { action: 'abort', projection: name }, { title: `Abort the ${rebuild.kind} of ${name}?`, text, verb: 'Abort it' }),
    ]
  }
  const filling = 'A new generation is filled beside the live one. Readers move over when it has caught up.'
  const back = 'The earlier generation is caught up, then readers move over to it.'
  return [
    button('Rebuild', { action: 'rebuild', projection: name }, { title: `Rebuild ${name}?`, text: filling, verb: 'Rebuild' }),
    generations.some(({ state }) => state === 'retired') &&
      button('Roll back', { action: 'rollback', projection: name }, { title: `Roll ${name} back?`, text: back, verb: 'Roll back' }),
  ]
}

function progress({ kind, phase, position, total, share, eventsPerSecond, secondsLeft }) {
  const percent = Math.floor(share * 100)
  const left = secondsLeft === null ? '' : `, ${span(secondsLeft)} left`
  return el(
    'div',
    { class: 'progress' },
    el('progress', { max: 1, value: share, 'aria-label': `${kind}, ${percent} percent` }),
    el('p', {}, `${kind}: ${phase}, ${percent} %${left}`),
    el('p', { class: 'soft' }, `${number(position)} of ${number(total)} events, ${number(eventsPerSecond)} per second`),
  )
}

const fact = (name, value) => [el('dt', {}, name), el('dd', {}, value)]

/** Why a projection is not live, what to do, and what keeps it busy. */
function standingLines({ state, reason, lastError, failures, since, fanOut, remedy }) {
  const often = failures > 1 ? `, ${number(failures)} times in a row` : ''
  const why = lastError === null ? '' : `${reason}: ${lastError}${often}`
  const long = since === null ? '' : `for ${span((Date.now() - since) / 1000)}`
  return [
    fanOut !== null && el('p', { class: 'soft' }, `changing many documents: ${number(fanOut.done)} of ${number(fanOut.total)}`),
    state !== 'live' && el('p', { class: 'message' }, [why, long].filter((part) => part !== '').join(', ')),
    state !== 'live' && remedy !== null && el('p', { class: 'soft' }, remedy),
  ]
}

function card(projection) {
  const { name, state, degraded, version, generation, position, lag, lagSeconds, history, applied, parked, waiting, rebuild } = projection
  const kind = state !== 'live' ? 'bad' : degraded ? 'warn' : 'good'
  const retired = projection.generations.filter((each) => each.state === 'retired').map((each) => `g${each.number}`)
  return el(
    'article',
    { class: 'card', 'data-projection': name },
    el('header', {}, el('h3', {}, name), el('span', { class: `badge ${kind}` }, degraded && state === 'live' ? 'degraded' : state)),
    el(
      'p',
      { class: 'lag' },
      el('strong', { 'data-lag': String(lag) }, lag === null ? '?' : number(lag)),
      lag === 0 || lagSeconds === null ? ' behind' : ` behind, oldest ${span(lagSeconds)}`,
    ),
    ...standingLines(projection),
    lagGraph(name, history),
    el(
      'dl',
      {},
      ...fact('Position', el('span', { 'data-position': String(position) }, position === null ? 'unknown' : number(position))),
      ...fact(
        'Generation',
        generation === null ? 'none' : `g${generation}, version ${version}${retired.length > 0 ? ` (kept: ${retired.join(', ')})` : ''}`,
      ),
      ...fact('Applied', number(applied)),
      ...fact('Parked', parked === 0 ? 'nothing' : `${number(parked)}${waiting === 0 ? '' : `, ${number(waiting)} waiting`}`),
    ),
    rebuild !== null && progress(rebuild),
    el('footer', {}, buttons(projection)),
  )
}

function letterRow({ projection, aggregate, position, since, message, waiting }) {
  const behind = waiting === 0 ? '' : ` ${counted(waiting, 'event')} waiting behind it will be folded.`
  const text = `It counts as if it had never been, in every generation, for good.${behind}`
  const question = { title: `Discard position ${position} of ${aggregate} in ${projection}?`, text, verb: 'Discard it', reason: true }
  return [
    projection,
    el('code', {}, aggregate),
    number(position),
    number(waiting),
    span((Date.now() - since) / 1000),
    el('span', { class: 'message' }, message),
    el(
      'span',
      { class: 'pair' },
      button('Replay', { action: 'replay', projection, aggregate }, null),
      button('Discard', { action: 'discard', projection, position }, question),
    ),
  ]
}

const section = (title, ...content) => el('section', {}, el('h2', {}, title), ...content)

const tile = (value, label) => el('div', { class: 'tile' }, el('strong', {}, number(value)), el('span', {}, label))

function sequences(integrity) {
  if (integrity === null) return [el('p', { class: 'soft' }, 'Nothing is known yet.')]
  const { aggregates, gaps, givenUp, late, duplicates, conflicts } = integrity.counts
  const rows = integrity.findings.map(({ kind, where, remedy }) => [
    el('span', { class: 'number' }, kind),
    el('ul', {}, ...where.map((text) => el('li', {}, text))),
    el('span', { class: 'message' }, remedy ?? 'nothing: each was folded when it came'),
  ])
  return [
    el(
      'div',
      { class: 'tiles' },
      tile(aggregates, 'aggregates'),
      tile(gaps, 'with gaps'),
      tile(late, 'late events'),
      tile(duplicates, 'duplicates'),
      tile(conflicts, 'conflicts'),
      givenUp > 0 && tile(givenUp, 'given up'),
    ),
    rows.length > 0 && table(['What', 'Where', 'To do'], rows),
  ]
}

function jobs(summary) {
  if (summary === null) return el('p', { class: 'soft' }, 'Ask jobs cannot be followed at the moment.')
  const { queued, running, completed, failed, oldest_queued_s } = summary
  return el(
    'div',
    { class: 'tiles' },
    tile(queued, oldest_queued_s > 0 ? `queued, oldest ${span(oldest_queued_s)}` : 'queued'),
    tile(running, 'running'),
    tile(completed, 'completed today'),
    tile(failed, 'failed today'),
  )
}

function draw(board, connected) {
  latest = board
  const open = board.log !== null
  const words = connected ? board.readiness : 'No connection, trying again'
  const kind = connected && board.readiness === 'ready' ? 'good' : 'bad'
  standing.replaceChildren(
    el('span', { class: `badge ${kind}` }, words),
    el('span', { class: 'soft' }, `${open ? `log at ${number(board.log.last)}` : 'the log does not answer'}, ${clock(board.at)}`),
  )
  // What somebody is about to press must not be taken from under the pointer, nor lose the focus.
  if (main.contains(document.activeElement) && document.activeElement.matches('button:active')) return
  const focused = [...main.querySelectorAll('button')].indexOf(document.activeElement)
  const operations = board.operations.map((each) => [
    each.operation,
    number(each.count),
    number(each.failed),
    ms(each.median),
    ms(each.p95),
    ms(each.slowest),
  ])
  const requests = board.requests.map((each) => [clock(each.at), each.projection, each.kind, each.state, each.outcome ?? ''])
  const audit = board.audit.map((each) => [clock(each.at), `${each.who}, ${each.address}`, each.projection, each.what])
  main.replaceChildren(
    section('Projections', el('div', { class: 'cards' }, board.projections.map(card))),
    section(
      'Dead letters',
      table(['Projection', 'Aggregate', 'Position', 'Waiting', 'For', 'Error', ''], board.letters.map(letterRow), 'Nothing is parked.'),
    ),
    section('Upstream sequences', ...sequences(board.integrity)),
    el(
      'div',
      { class: 'columns' },
      section('Ask jobs', jobs(board.jobs)),
      section('Slow operations', table(['Operation', 'Calls', 'Failed', 'Median', 'p95', 'Slowest'], operations, 'No reads yet.')),
    ),
    el(
      'div',
      { class: 'columns' },
      section('Carried out', table(['When', 'Projection', 'Request', 'State', 'Outcome'], requests, 'Nothing has been asked for.')),
      section('Asked for here', table(['When', 'Who', 'Projection', 'What'], audit, 'Nobody has asked for anything.')),
    ),
  )
  if (focused >= 0) main.querySelectorAll('button')[focused]?.focus()
}

draw(latest, true)
const stream = new EventSource('/live')
stream.addEventListener('board', ({ data }) => draw(JSON.parse(data), true))
stream.addEventListener('error', () => {
  draw(latest, false)
  // Closed for good: the session has ended.
  if (stream.readyState === EventSource.CLOSED) location.reload()
})
