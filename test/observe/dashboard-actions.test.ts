/** Every action of the dashboard, pressed in a real browser, on every store. */
import type { Browser, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { tagsProjection } from '../../projections/tags/index.js'
import { STORES } from '../engine/stores.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { openPage, startChromium } from '../servers/chromium.js'
import { followed, liked, played, poison } from '../spec/events.js'

const MENDED = COMMUNITY.length + 1
const events = [...COMMUNITY, poison(played('maze')), liked('maze', 'dora'), poison(followed('ada', 'ben'))]

for (const subject of STORES.filter(({ name }) => name !== 'memory')) {
  t.test(subject.name, async (t) => {
    const browser = await startChromium(t)
    if (browser !== null) await pressEverything(t, browser, await subject.open())
  })
}

type Fresh = Awaited<ReturnType<(typeof STORES)[number]['open']>>

async function pressEverything(t: Test, browser: Browser, { store, remove }: Fresh): Promise<void> {
  t.teardown(remove)
  const service = await Service.start(t, { events, documents: store })
  const page = await openPage(t, browser)
  await page.goto(`http://127.0.0.1:${await service.listen(service.admin)}`)
  const feed = page.locator('[data-projection=feed]')
  const tags = page.locator('[data-projection=tags]')
  await feed.locator('.badge', { hasText: 'degraded' }).waitFor()

  await t.test('rebuild, and roll back', async () => {
    await press(page, tags, 'Rebuild')
    await tags.getByText(`g2, version ${tagsProjection.version} (kept: g1)`).waitFor()
    await outcome(page, 'rebuild', 'generation 2 is live').waitFor()
    await press(page, tags, 'Roll back')
    await tags.getByText(`g1, version ${tagsProjection.version} (kept: g2)`).waitFor()
    await outcome(page, 'rollback', 'generation 1 is live').waitFor()
  })

  await t.test('abort a rebuild that is under way', async (t) => {
    const payload = { action: 'rebuild', projection: 'tags', maxRate: 1 }
    const headers = { 'content-type': 'application/json', 'x-admin-seal': (await page.locator('#board').getAttribute('data-seal')) ?? '' }
    // The page offers no speed; a program that asks for one is followed there all the same.
    const asked = await page.evaluate(
      async ([body, sent]) => (await fetch('/actions', { method: 'POST', headers: sent, body: JSON.stringify(body) })).status,
      [payload, headers] as const,
    )
    t.equal(asked, 202)
    await tags.getByText(/^rebuild: loading, \d+ %, \d+ (s|min) left$/).waitFor()
    t.equal(await tags.getByRole('button', { name: 'Rebuild' }).count(), 0, 'not twice at a time')
    await press(page, tags, 'Abort')
    await outcome(page, 'abort', 'aborted rebuild').waitFor()
    await tags.locator('progress').waitFor({ state: 'detached' })
    await tags.getByText(`g1, version ${tagsProjection.version} (kept: g2)`).waitFor()
  })

  await t.test('replay: fails while the cause is there, and then succeeds', async (t) => {
    const row = letter(page, 'feed', 'creation/maze')
    await row.getByRole('button', { name: 'Replay' }).click()
    await outcome(page, 'replay', '1 still cannot be folded').waitFor()
    t.equal(await row.count(), 1)
    await service.mend(MENDED, (event) => ({ ...event, type: played('maze').type }))
    await row.getByRole('button', { name: 'Replay' }).click()
    await outcome(page, 'replay', 'replayed 1 event of 1 aggregate').waitFor()
    await row.waitFor({ state: 'detached' })
    await feed.locator('.badge', { hasText: 'live' }).waitFor()
    const { data } = (await service.get('/public/share/community?sort=popular&limit=1')).json()
    t.match(data.items[0], { id: 'maze', stats: { plays: 6, likes: 3 } })
  })

  await t.test('discard, with a reason, and not when it was cancelled', async (t) => {
    const row = letter(page, 'profiles', 'creator/ada')
    await row.getByRole('button', { name: 'Discard' }).click()
    await page.locator('dialog button[value=no]').click()
    t.equal(await row.count(), 1)
    await row.getByRole('button', { name: 'Discard' }).click()
    await page.locator('dialog button[value=yes]').click()
    t.equal(await page.locator('dialog').evaluate((dialog) => (dialog as unknown as { open: boolean }).open), true, 'not without a reason')
    await page.fill('dialog input', 'sent by mistake')
    await page.locator('dialog button[value=yes]').click()
    await row.waitFor({ state: 'detached' })
    await page.locator('[data-projection=profiles] .badge', { hasText: 'live' }).waitFor()
    await page.getByRole('cell', { name: 'sent by mistake' }).first().waitFor()
  })
}

async function press(page: Page, card: Locator, label: string): Promise<void> {
  await card.getByRole('button', { name: label }).click()
  await page.locator('dialog button[value=yes]').click()
}

const outcome = (page: Page, kind: string, text: string): Locator =>
  page
    .locator('tr', { has: page.getByRole('cell', { name: kind, exact: true }) })
    .filter({ hasText: text })
    .first()

const letter = (page: Page, projection: string, aggregate: string): Locator =>
  page
    .locator('tr', { has: page.getByRole('cell', { name: projection, exact: true }) })
    .filter({ has: page.getByRole('cell', { name: aggregate, exact: true }) })
    .filter({ has: page.getByRole('button', { name: 'Discard' }) })
