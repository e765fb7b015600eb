import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import type { Test } from 'tap'

/** The package has the binary for x86-64; elsewhere Debian's is used. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium'

/** A real browser, until the test ends. The package's own flags are not used: they switch off what keeps pages apart. */
export async function openChromium(t: Test): Promise<Browser> {
  const onSystem = process.arch !== 'x64' && existsSync(SYSTEM_CHROMIUM)
  const executablePath = onSystem ? SYSTEM_CHROMIUM : await chromium.executablePath()
  const browser = await playwright.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
  t.teardown(() => browser.close())
  return browser
}
