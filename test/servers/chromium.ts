/** A real Chromium. `TEST_CHROMIUM` names an executable; else it is looked for like the servers beside this file. */
import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import root, { type Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { scaledTimeout } from '../support/scaled-timeout.js'
import { type Binary, binaryFor, onPath, type Recipe, skipLoudly } from './binary.js'

const recipe: Recipe = {
  name: 'chromium',
  version: '147',
  async unpack(folder) {
    const packed = fileURLToPath(new URL('../../bin/chromium.br', import.meta.resolve('@sparticuz/chromium')))
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(join(folder, 'chromium')))
    return { executable: 'chromium' }
  },
}

/** Not the package's own list of arguments: that one turns web security off, and some of these tests are about it. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** The browser of this process, started at the first call and closed at its end; null if it is not available. */
export function startChromium(t: Test): Promise<Browser | null> {
  browser ??= launch(t)
  return browser
}

let browser: Promise<Browser | null> | undefined

async function launch(t: Test): Promise<Browser | null> {
  const executablePath = process.env.TEST_CHROMIUM ?? (await executable(t))?.path
  if (executablePath === undefined) return null
  const folder = folderWith()
  const launched = await chromium.launch({
    executablePath,
    args: ARGUMENTS,
    env: { ...process.env, FONTCONFIG_FILE: await fonts(folder) },
  })
  // Closed with the whole process, not with the test that called first.
  root.teardown(() => launched.close())
  return launched
}

/** The package is for one kind of processor. */
async function executable(t: Test): Promise<Binary | null> {
  if (process.arch === 'x64') return binaryFor(t, recipe)
  return (await onPath(recipe.name)) ?? skipLoudly(t, recipe.name, `no package carries chromium for ${process.arch}: its tests do not run`)
}

const PATIENCE_MS = 60_000

/** A page in a new window, until the test ends. An error in it fails the test. */
export async function openPage(t: Test, browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(scaledTimeout(PATIENCE_MS))
  page.on('pageerror', ({ message }) => t.fail(`a script failed: ${message}`))
  page.on('console', (message) => {
    // Chromium also logs a 404 as an error, which is fine; what it blocks is not.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) t.fail(message.text())
  })
  return page
}

/** Chromium ends at once on a machine without fonts, so it gets ours in addition to those of the system. */
async function fonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const places = ['/usr/share/fonts', '/usr/local/share/fonts', fileURLToPath(new URL('../../../public/fonts', import.meta.url))]
  const listed = places.map((place) => `<dir>${place}</dir>`).join('')
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${listed}<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`)
  return file
}
