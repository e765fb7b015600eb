/** The service on real ports, and a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Site } from '../../src/contract/public-urls.js'
import { Service, type ServiceOptions } from '../harness/service.js'
import { openPage, startChromium } from '../servers/chromium.js'
import { serverPorts } from '../servers/ports.js'

export class Gallery {
  readonly service: Service
  readonly site: Site
  readonly #browser: Browser

  /** Null if there is no browser; the test has then said so. */
  static async open(t: Test, contents: (site: Site) => ServiceOptions): Promise<Gallery | null> {
    const browser = await startChromium(t)
    if (browser === null) return null
    const [api = 0, web = 0] = await serverPorts(2)
    const site = { baseUrl: `http://127.0.0.1:${api}`, webUrl: `http://127.0.0.1:${web}`, publicDomain: `localhost:${web}` }
    const service = await Service.start(t, { ...contents(site), site })
    await service.listen(service.api, api)
    await service.listen(service.web, web)
    return new Gallery(service, site, browser)
  }

  private constructor(service: Service, site: Site, browser: Browser) {
    this.service = service
    this.site = site
    this.#browser = browser
  }

  /** A page in a new browser window. An error in it fails the test. */
  async visitor(t: Test, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await openPage(t, this.#browser, { baseURL: this.site.webUrl, locale: 'en-US', ...options })
    page.on('dialog', (dialog) => t.fail(`a dialog: ${dialog.message()}`))
    return page
  }
}
