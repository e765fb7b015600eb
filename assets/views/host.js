/** Speaks with the MCP host around this page: JSON-RPC over postMessage, as MCP Apps (2026-01-26) has it. */
const waiting = new Map()
const listeners = { input: () => {}, result: () => {}, cancelled: () => {} }
let lastId = 0
let capabilities = {}
let context = {}

globalThis.host = {
  /** Says hello; then `input` gets what the tool was asked, and `show` its answer, as soon as the host has them. */
  async connect(name, { show, cancelled, input = () => {} }) {
    Object.assign(listeners, { input, result: show, cancelled })
    const hello = { appInfo: { name, version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' }
    const { hostCapabilities, hostContext } = await request('ui/initialize', hello)
    capabilities = hostCapabilities ?? {}
    adopt(hostContext)
    notify('ui/notifications/initialized', {})
    new ResizeObserver(reportSize).observe(document.body)
  },

  /** Whether tools can be called from here. */
  get callsTools() {
    return capabilities.serverTools !== undefined
  },

  get locale() {
    return typeof context.locale === 'string' ? context.locale : undefined
  },

  callTool: (name, input) => request('tools/call', { name, arguments: input }),

  openLink: (url) => request('ui/open-link', { url }).catch(() => {}),
}

function request(method, params) {
  lastId += 1
  const id = lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    post({ id, method, params })
  })
}

const notify = (method, params) => post({ method, params })

const post = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

window.addEventListener('message', ({ source, data }) => {
  // Only the host around us has a say: not other frames, not other windows.
  if (source !== window.parent || data?.jsonrpc !== '2.0') return
  if (data.method === undefined) settle(data)
  else if (data.id !== undefined) answer(data)
  else hear(data.method, data.params ?? {})
})

function settle({ id, result, error }) {
  const promise = waiting.get(id)
  waiting.delete(id)
  if (error === undefined) promise?.resolve(result ?? {})
  else promise?.reject(new Error(String(error?.message ?? 'refused')))
}

function answer({ id, method }) {
  const known = method === 'ping' || method === 'ui/resource-teardown'
  post(known ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } })
}

function hear(method, params) {
  if (method === 'ui/notifications/tool-input') listeners.input(params.arguments ?? {})
  if (method === 'ui/notifications/tool-result') listeners.result(params)
  if (method === 'ui/notifications/tool-cancelled') listeners.cancelled()
  if (method === 'ui/notifications/host-context-changed') adopt(params)
}

/** The host's theme and its colours and fonts, as far as it tells them. */
function adopt(changes) {
  context = { ...context, ...changes }
  const root = document.documentElement
  if (context.theme === 'light' || context.theme === 'dark') root.dataset.theme = context.theme
  if (typeof context.locale === 'string') root.lang = context.locale
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value)
  }
}

function reportSize() {
  const { width, height } = document.body.getBoundingClientRect()
  notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) })
}
