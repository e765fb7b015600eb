/** What the views are built from. Texts become text nodes and nothing else, whatever they contain. */
const { host } = globalThis
const main = document.querySelector('main')
const pictureOrigins = document.querySelector('meta[name="picture-origins"]').content.split(' ')

const ICONS = {
  likes: 'M8 14S1.5 10.2 1.5 5.9A3.4 3.4 0 0 1 8 4.4a3.4 3.4 0 0 1 6.5 1.5C14.5 10.2 8 14 8 14Z',
  plays: 'M4 2.5v11l9.5-5.5Z',
  remixes: 'M2 6h9L8.5 3.5 10 2l5 5H2Zm12 4H5l2.5 2.5L6 14 1 9h13Z',
}

globalThis.parts = {
  /** Shows the answer of a tool with `draw`, which gets its data, or says why there is none. */
  show(draw) {
    const say = (message) => replace(main, el('p', { className: 'note' }, message))
    return {
      show(result) {
        main.removeAttribute('aria-busy')
        const data = dataOf(result)
        if (data === null) say(textOf(result) || 'There is nothing to show.')
        else replace(main, ...draw(data))
      },
      cancelled: () => say('Cancelled.'),
    }
  },

  el,
  replace,
  text,
  list,
  dataOf,
  picture,
  link,
  stat,

  /** A count as people say it: 1.2K. */
  count: (value) => new Intl.NumberFormat(host.locale, { notation: 'compact' }).format(number(value)),

  number: (value) => new Intl.NumberFormat(host.locale).format(number(value)),

  chip: (label, note) => el('span', { className: 'chip' }, text(label), note === undefined ? null : el('small', {}, note)),

  /** Creations as cards, two or more in a row. */
  cards: (creations) => el('ul', { className: 'cards' }, ...list(creations).map((creation) => el('li', {}, card(creation)))),

  /** The same in one line to push along. */
  rail: (creations) => el('ul', { className: 'rail', tabIndex: 0 }, ...list(creations).map((creation) => el('li', {}, card(creation)))),

  /** A button that is busy while its work lasts. */
  button(label, work, props = {}) {
    const button = el('button', { type: 'button', ...props }, label)
    button.addEventListener('click', async () => {
      button.disabled = true
      try {
        await work(button)
      } finally {
        button.disabled = false
      }
    })
    return button
  },
}

function el(name, props, ...children) {
  const element = Object.assign(document.createElement(name), props)
  element.append(...children.filter((child) => child !== null))
  return element
}

function replace(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null))
}

function text(value) {
  return typeof value === 'string' ? value : ''
}

function list(value) {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : []
}

function number(value) {
  return typeof value === 'number' ? value : 0
}

/** Structured content, or what the text holds for hosts that pass on only that. */
function dataOf(result) {
  if (result?.isError) return null
  if (typeof result?.structuredContent === 'object') return result.structuredContent
  try {
    return JSON.parse(textOf(result))
  } catch {
    return null
  }
}

function textOf(result) {
  const [first] = list(result?.content)
  return text(first?.text)
}

/** A cover or portrait. What is no picture from where pictures may come from gets colours and a letter instead. */
function picture(url, label, className) {
  const letter = [...text(label).trim()][0] ?? '·'
  const frame = el('span', { className: `picture ${className}`, ariaHidden: 'true' }, letter.toUpperCase())
  frame.style.setProperty('--hue', String(hueOf(text(label))))
  const address = addressOf(url)
  if (address !== null && pictureOrigins.includes(address.origin)) {
    const image = el('img', { alt: '', loading: 'lazy', referrerPolicy: 'no-referrer' })
    image.addEventListener('error', () => image.remove())
    image.src = address.href
    frame.append(image)
  }
  return frame
}

function hueOf(label) {
  return [...label].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7)
}

function addressOf(url) {
  if (!URL.canParse(text(url))) return null
  const address = new URL(url)
  return ['https:', 'http:'].includes(address.protocol) ? address : null
}

/** Opens in the host's browser: from a sandbox nothing else can. */
function link(url, props, ...children) {
  const address = addressOf(url)
  if (address === null) return el('span', props, ...children)
  const anchor = el('a', { href: address.href, rel: 'noopener', ...props }, ...children)
  anchor.addEventListener('click', (event) => {
    event.preventDefault()
    host.openLink(address.href)
  })
  return anchor
}

function stat(kind, value) {
  const shown = globalThis.parts.count(value)
  return el('span', { className: 'stat', ariaLabel: `${shown} ${kind}`, role: 'img' }, icon(ICONS[kind]), shown)
}

function icon(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}

function card({ url, coverUrl, title, kind, creator, stats }) {
  return link(
    url,
    { className: 'card' },
    picture(coverUrl, title, 'cover'),
    el('strong', {}, text(title)),
    el('span', { className: 'by' }, `${text(creator?.displayName)} · ${text(kind)}`),
    el('span', { className: 'stats' }, stat('likes', stats?.likes), stat('plays', stats?.plays), stat('remixes', stats?.remixes)),
  )
}
