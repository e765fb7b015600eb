/** An MCP host in a browser: the bridge is the one hosts use, the frame is sandboxed as they do it, the server is ours. */
import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { z } from 'zod'

export interface Showing {
  theme?: 'light' | 'dark'
  width?: number
  /** Instead of calling the tool. */
  result?: { content: []; structuredContent: Record<string, unknown> }
  /** Whether views may call tools. */
  callsTools?: boolean
  /** Answers requests for pictures; without it every picture fails to load. */
  pictures?: (url: string) => string
}

const ToolMeta = z.object({ ui: z.object({ resourceUri: z.string() }) })
const ViewMeta = z.object({
  ui: z.object({ csp: z.object({ connectDomains: z.array(z.string()), resourceDomains: z.array(z.string()) }) }),
})
const View = z.object({ mimeType: z.literal('text/html;profile=mcp-app'), text: z.string(), _meta: ViewMeta })

/** The answer of a tool, shown in its view. */
export class ShownView {
  readonly page: Page
  readonly bridge: AppBridge
  /** Links the view asked the host to open. */
  readonly opened: string[] = []
  /** Addresses the page tried to load anything from. */
  readonly requested: string[] = []
  /** Errors that the browser logged. */
  readonly complaints: string[] = []

  static async open(t: Test, browser: Browser, client: Client, tool: string, input: Record<string, unknown>, showing: Showing = {}) {
    const page = await browser.newPage({ viewport: { width: showing.width ?? 360, height: 700 }, deviceScaleFactor: 2 })
    t.teardown(() => page.close())
    const capabilities = { openLinks: {}, ...(showing.callsTools === false ? {} : { serverTools: {} }) }
    const hostContext = { theme: showing.theme ?? 'light', locale: 'en' }
    const view = new ShownView(page, new AppBridge(client, { name: 'test host', version: '1' }, capabilities, { hostContext }))
    await view.#show(client, tool, input, showing)
    return view
  }

  private constructor(page: Page, bridge: AppBridge) {
    this.page = page
    this.bridge = bridge
  }

  get frame(): FrameLocator {
    return this.page.frameLocator('iframe')
  }

  async #show(client: Client, tool: string, input: Record<string, unknown>, { result, pictures }: Showing): Promise<void> {
    const { page, bridge } = this
    page.on('console', (message) => this.complaints.push(message.text()))
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`)
      return dialog.dismiss()
    })
    await page.route('**/*', (route) => {
      const url = route.request().url()
      this.requested.push(url)
      return pictures === undefined ? route.abort() : route.fulfill({ contentType: 'image/svg+xml', body: pictures(url) })
    })
    await page.setContent('<body style="margin:0"><iframe sandbox="allow-scripts" style="border:0;width:100%;height:40px"></iframe>')
    bridge.onopenlink = async ({ url }) => {
      this.opened.push(url)
      return {}
    }
    bridge.onsizechange = ({ height = 0 }) => {
      page.evaluate(`document.querySelector('iframe').style.height = '${Number(height)}px'`).catch(() => {})
    }
    const initialized = new Promise<void>((resolve) => {
      bridge.oninitialized = () => resolve()
    })
    await bridge.connect(await frameTransport(page))
    const html = await htmlOf(client, tool)
    await page.evaluate(`document.querySelector('iframe').srcdoc = ${JSON.stringify(html)}`)
    await initialized
    await bridge.sendToolInput({ arguments: input })
    await bridge.sendToolResult(result ?? (await client.callTool({ name: tool, arguments: input })))
  }
}

/** The view of a tool, with the policy its metadata asks for and nothing more. */
async function htmlOf(client: Client, tool: string): Promise<string> {
  const { tools } = await client.listTools()
  const { ui } = ToolMeta.parse(tools.find(({ name }) => name === tool)?._meta)
  const { contents } = await client.readResource({ uri: ui.resourceUri })
  const { text, _meta } = View.parse(contents[0])
  const { connectDomains, resourceDomains } = _meta.ui.csp
  const policy = [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    `img-src ${resourceDomains.join(' ')}`,
    `connect-src ${connectDomains.join(' ') || "'none'"}`,
  ]
  return text.replace('<meta charset', `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}"><meta charset`)
}

async function frameTransport(page: Page): Promise<Transport> {
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: (message) => page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`),
  }
  await page.exposeFunction('toHost', (text: string) => transport.onmessage?.(JSON.parse(text) as JSONRPCMessage))
  await page.evaluate(`addEventListener('message', ({ source, data }) => {
    if (source === document.querySelector('iframe').contentWindow) toHost(JSON.stringify(data))
  })`)
  return transport
}
