/** What pages can do beyond being read: endless paging, asking, copying, and tools for agents. All of it is extra. */

/** @param {string} name @param {Record<string, string>} attributes @param {(string | Node)[]} children */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  // As text: whatever comes from the service, nothing in it is markup.
  made.append(...children)
  return made
}

/** Only web addresses become links. */
function webAddress(address) {
  if (typeof address !== 'string') return null
  try {
    const url = new URL(address, location.href)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}

// Endless paging: the link to the next page becomes its contents, a few pages by itself, then on request.

const BY_ITSELF = 4
const GHOSTS = 6

function pageEndlessly() {
  const shelf = document.querySelector('.feed > .shelf')
  const status = document.querySelector('[data-more-status]')
  let left = BY_ITSELF
  let loading = false
  const watcher = new IntersectionObserver(
    (entries) => {
      if (left > 0 && entries.some(({ isIntersecting }) => isIntersecting)) load().then(() => left--)
    },
    { rootMargin: '600px' },
  )
  watch()

  function watch() {
    const link = document.querySelector('[data-more]')
    if (!shelf || !link) return
    watcher.disconnect()
    watcher.observe(link)
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      left = BY_ITSELF
      load(true)
    })
  }

  async function load(byHand = false) {
    const link = document.querySelector('[data-more]')
    if (!link || loading) return
    loading = true
    link.setAttribute('aria-busy', 'true')
    status.textContent = link.dataset.loading
    const ghosts = Array.from({ length: GHOSTS }, ghost)
    shelf.append(...ghosts)
    try {
      const response = await fetch(link.href, { headers: { Accept: 'text/html' } })
      if (!response.ok) throw new Error(String(response.status))
      const next = new DOMParser().parseFromString(await response.text(), 'text/html')
      const known = new Set([...shelf.querySelectorAll('[data-id]')].map((card) => card.dataset.id))
      // Something that moved while we were reading may come a second time.
      const cards = [...next.querySelectorAll('.feed > .shelf > .card')].filter((card) => !known.has(card.dataset.id))
      for (const one of ghosts) one.remove()
      // The same heading level as the cards that are there already.
      shelf.append(...cards.map(likeTheOthers))
      status.textContent = link.dataset.loaded
      link.closest('.more').replaceWith(next.querySelector('.more') ?? '')
      if (byHand) cards[0]?.querySelector('a')?.focus({ preventScroll: true })
      watch()
    } catch {
      for (const one of ghosts) one.remove()
      left = 0
      status.textContent = link.dataset.failed
      link.removeAttribute('aria-busy')
    } finally {
      loading = false
    }
  }

  function likeTheOthers(card) {
    const level = shelf.querySelector('.card-title')?.localName
    const title = card.querySelector('.card-title')
    if (level && title.localName !== level) {
      const same = element(level, { class: 'card-title' }, ...title.childNodes)
      title.replaceWith(same)
    }
    return card
  }
}

const ghost = () =>
  element(
    'li',
    { class: 'card ghost', 'aria-hidden': 'true' },
    element('span', { class: 'cover' }),
    element('p', { class: 'card-title' }),
    element('p', { class: 'card-by' }),
  )

// On a small screen the sorts are wider than it is; the chosen one should be in sight.

function showChosenSort() {
  const sorts = document.querySelector('.sorts')
  const chosen = sorts?.querySelector('[aria-current]')
  if (chosen) sorts.scrollLeft = chosen.offsetLeft - (sorts.clientWidth - chosen.offsetWidth) / 2
}

// Asking: the answer comes as a stream of events.

function askAndAnswer() {
  const form = document.querySelector('[data-ask]')
  const box = document.querySelector('[data-answer]')
  const suggestions = document.querySelector('[data-suggestions]')
  if (!form || !box) return
  const input = form.querySelector('input[name="q"]')
  let asking = new AbortController()

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(input.value.trim())
  })
  if (suggestions) {
    suggestions.hidden = false
    suggestions.addEventListener('click', ({ target }) => {
      const button = target.closest('button')
      if (!button) return
      input.value = button.textContent
      ask(input.value)
    })
  }

  async function ask(query) {
    if (query === '') return
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const view = show()
    try {
      for await (const { name, data } of answers(query, form.dataset.locale, signal)) {
        if (name === 'result') view.found(data.item)
        if (name === 'complete' && data.code) throw new Error(data.error)
        if (name === 'complete') view.complete(data)
      }
      if (!view.done()) throw new Error('the stream ended early')
    } catch {
      if (!signal.aborted) view.fail(query)
    }
  }

  function show() {
    const text = element('p', { class: 'answer-text', 'data-waiting': '' }, form.dataset.thinking)
    const results = element('ul')
    const close = element('button', { class: 'answer-close', type: 'button', 'aria-label': form.dataset.close }, '×')
    close.addEventListener('click', () => {
      asking.abort()
      box.hidden = true
      input.focus()
    })
    box.replaceChildren(close, text)
    box.hidden = false
    let complete = false
    return {
      done: () => complete,
      found(item) {
        const entry = linkTo(item?.url, item?.name ?? item?.title)
        if (!entry) return
        if (!results.isConnected) box.append(element('h3', {}, form.dataset.found), results)
        results.append(element('li', {}, entry))
      },
      complete({ answer, citations = [] }) {
        complete = true
        text.removeAttribute('data-waiting')
        text.textContent = answer ?? ''
        const links = citations.map(({ url, title }) => linkTo(url, title)).filter((link) => link !== null)
        if (links.length === 0) return
        box.append(element('h3', {}, form.dataset.sources), element('ul', {}, ...links.map((link) => element('li', {}, link))))
      },
      fail(query) {
        const search = element('a', { href: `?${new URLSearchParams({ q: query })}` }, `${form.dataset.search}: ${query}`)
        text.removeAttribute('data-waiting')
        text.replaceChildren(form.dataset.failed, ' ', search)
      },
    }
  }
}

function linkTo(address, label) {
  const href = webAddress(address)
  return href === null ? null : element('a', { href, dir: 'auto' }, String(label ?? href))
}

/** The events of one answer; an answer that comes in one piece is told as the same events. */
async function* answers(query, locale, signal) {
  const response = await fetch('/ask', {
    method: 'POST',
    // A header, not a preference in the body: people are answered in the language they ask in.
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream, application/json;q=0.9', 'Accept-Language': locale },
    body: JSON.stringify({ query, prefer: { streaming: true } }),
    signal,
  })
  if (!response.ok) throw new Error(String(response.status))
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    const whole = await response.json()
    for (const item of whole.results ?? []) yield { name: 'result', data: { item } }
    yield { name: 'complete', data: whole }
    return
  }
  yield* events(response.body)
}

/** Server-sent events of a stream. */
async function* events(stream) {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    const blocks = text.split(/\r?\n\r?\n/)
    text = done ? '' : blocks.pop()
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const field = (name) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
      const data = field('data').join('\n')
      if (data !== '') yield { name: field('event')[0] ?? 'message', data: JSON.parse(data) }
    }
    if (done) return
  }
}

// The reference: a link to a folded schema unfolds it.

function unfoldTargets() {
  const unfold = () => {
    const target = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
    if (target?.localName === 'details') target.open = true
  }
  addEventListener('hashchange', unfold)
  unfold()
}

// Copying.

function offerCopies() {
  if (!navigator.clipboard) return
  for (const button of document.querySelectorAll('button[data-copy]')) {
    button.hidden = false
    const label = button.querySelector('span')
    const before = label.textContent
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy)
      label.textContent = button.dataset.copied
      setTimeout(() => {
        label.textContent = before
      }, 2000)
    })
  }
}

// Tools for agents that share the page with the reader (WebMCP).

async function registerTools() {
  const context = document.modelContext ?? navigator.modelContext
  const { tools } = document.querySelector('script[data-tools]')?.dataset ?? {}
  if (typeof context?.registerTool !== 'function' || !tools) return
  const response = await fetch(tools)
  for (const { name, title, description, inputSchema, method, address, inPath } of await response.json()) {
    context.registerTool({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true },
      execute: (input = {}) => answered(method === 'POST' ? sent(address, input) : fetch(addressFor(address, inPath, input))),
    })
  }
}

function addressFor(address, inPath, input) {
  const filled = address.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name] ?? '')))
  const query = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined && value !== null)
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}

const sent = (address, input) =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) })

async function answered(request) {
  const response = await request
  const text = await response.text()
  return { content: [{ type: 'text', text }], isError: !response.ok }
}

pageEndlessly()
showChosenSort()
askAndAnswer()
offerCopies()
unfoldTargets()
registerTools()
