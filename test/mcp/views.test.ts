import type { Browser } from 'playwright-core'
import t from 'tap'
import { COMMUNITY, manyCreations } from '../harness/community.js'
import { PICTURE_ORIGINS } from '../harness/mcp.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { startChromium } from '../servers/chromium.js'
import { connect, listen } from './connect.js'
import { ShownView } from './view-host.js'

const service = await Service.start(t, { events: COMMUNITY })
const { product } = await listen(service)
const client = await connect(t, product[0], '2025-11-25')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
const pictures = () => SVG

/** What each view has to show of the community. */
const SHOWN: [string, Record<string, unknown>, string[]][] = [
  ['get_community_feed', { sort: 'liked' }, ['Community', '4 creations', 'Tide clock', 'Winter maze', 'Cleo · game']],
  ['get_community_landing', {}, ['Spotlight', 'Trending now', 'Most remixed', 'Categories', 'Games']],
  ['get_popular_tags', {}, ['Popular tags', '4 in use', 'puzzle', 'garden']],
  [
    'get_creator_profile',
    { handle: 'ada-l' },
    ['Ada L.', '@Ada-L', 'Small tools for people near the sea.', 'Workshop', 'Best scores', '700'],
  ],
  [
    'get_app_share',
    { handle: 'cleo', slug: 'winter-maze' },
    ['Winter maze', '@cleo', 'A remix of', 'Garden maze', '#puzzle', 'Leaderboard', '12.5'],
  ],
]

const browser = await startChromium(t)
if (browser !== null) await inBrowser(browser)

async function inBrowser(browser: Browser): Promise<void> {
  await t.test('every view shows the answer of its tool, light and dark, on the narrowest screen', async (t) => {
    for (const [tool, input, texts] of SHOWN) {
      for (const theme of ['light', 'dark'] as const) {
        const view = await ShownView.open(t, browser, client, tool, input, { theme, width: 320, pictures })
        for (const text of texts) await view.frame.getByText(text, { exact: false }).first().waitFor()
        const [sideways, colour, height]: [number, string, number] = await view.frame
          .locator('body')
          .evaluate('[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor, document.body.offsetHeight]')
        t.equal(sideways, 320, `${tool} ${theme}: no sideways scroll`)
        t.equal(colour, theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(27, 26, 31)', `${tool} ${theme}`)
        // Fractions of a pixel are rounded here and there.
        await view.page.waitForFunction(`Math.abs(document.querySelector('iframe').offsetHeight - ${height}) <= 1`)
        t.strictSame(view.complaints, [], `${tool}: nothing to complain about`)
        t.strictSame(
          view.requested.filter((url) => !PICTURE_ORIGINS.includes(new URL(url).origin)),
          [],
          `${tool}: pictures only from where they may come from`,
        )
        await view.page.close()
      }
    }
  })

  await t.test('markup in texts is shown as text', async (t) => {
    const scripts = [
      `<img src=x onerror="parent.alert(1)"><script>parent.alert(2)</script>`,
      'javascript:parent.alert(3)',
      'https://evil.example/track.svg',
      '"><svg onload=alert(4)>\u202e</p></main>',
      'data:text/html,<script>alert(5)</script>',
    ]
    for (const [tool, input] of SHOWN) {
      const { structuredContent } = await client.callTool({ name: tool, arguments: input })
      for (const script of scripts) {
        const hostile = JSON.parse(JSON.stringify(structuredContent), (_key, value) => (typeof value === 'string' ? script : value))
        const view = await ShownView.open(t, browser, client, tool, input, {
          result: { content: [], structuredContent: hostile },
          pictures,
        })
        await view.frame.locator('main:not([aria-busy])').waitFor()
        const text = await view.frame.locator('main').textContent()
        t.ok(text?.includes(script), `${tool}: ${script}`)
        const [strangers, addresses]: [number, string[]] = await view.frame.locator('main').evaluate(
          `[document.querySelectorAll('main :is(script, iframe, object, [onerror], [onload], svg:not([aria-hidden]))').length,
          [...document.querySelectorAll('main :is([href], [src])')].map((element) => element.href ?? element.src)]`,
        )
        t.equal(strangers, 0)
        t.notOk(addresses.some((address) => /^(javascript|data):/i.test(address)))
        t.strictSame([view.complaints, view.requested], [[], []], 'nothing ran, nothing was loaded')
        await view.page.close()
      }
    }
  })

  await t.test('data of any other shape leaves a view standing', async (t) => {
    for (const [tool, input] of SHOWN) {
      for (const structuredContent of [{}, { items: 'x', rails: [1, null], apps: {}, stats: 5, tags: 'x' }]) {
        const view = await ShownView.open(t, browser, client, tool, input, { result: { content: [], structuredContent }, pictures })
        await view.frame.locator('main:not([aria-busy])').waitFor()
        t.strictSame(view.complaints, [], `${tool} ${JSON.stringify(structuredContent)}`)
        await view.page.close()
      }
    }
  })

  await t.test('a refused call shows why', async (t) => {
    const view = await ShownView.open(t, browser, client, 'get_creator_profile', { handle: 'nobody' })
    await view.frame.getByText('No creator has this handle.').waitFor()
    t.strictSame(view.complaints, [])
  })

  await t.test('views do what they offer, through the host', async (t) => {
    const crowded = await Service.start(t, { events: manyCreations(30) })
    const other = await connect(t, (await listen(crowded)).product[0], '2026-07-28')

    const feed = await ShownView.open(t, browser, other, 'get_community_feed', { tag: 'even', limit: 10 })
    await feed.frame.getByRole('button', { name: 'Show more' }).click()
    await feed.frame.locator('.card').nth(14).waitFor()
    t.equal(await feed.frame.locator('.card').count(), 15)
    t.equal(await feed.frame.getByRole('button', { name: 'Show more' }).count(), 0, 'there are no more')
    await feed.frame.getByRole('button', { name: 'New' }).click()
    await feed.frame.locator('button[aria-pressed="true"]', { hasText: 'New' }).waitFor()
    await feed.frame.getByText('Piece 28').waitFor()
    t.equal(await feed.frame.getByText('15 creations').count(), 1, 'still only those with the tag')
    await feed.frame.getByText('Piece 28').click()
    // The host hears of it by a message.
    await eventually(async () => feed.opened.length > 0)
    t.strictSame(feed.opened, ['https://ada.vitrine.example/c028-slug'])

    const tags = await ShownView.open(t, browser, other, 'get_popular_tags', {})
    await tags.frame.getByRole('button', { name: 'odd' }).click()
    await tags.frame.getByText('Trending in “odd”').waitFor()
    t.equal(await tags.frame.locator('.card').count(), 6)

    const plain = await ShownView.open(t, browser, other, 'get_community_feed', {}, { callsTools: false })
    await plain.frame.locator('.card').first().waitFor()
    t.equal(await plain.frame.getByRole('button').count(), 0, 'a host that calls no tools gets no buttons')
    t.strictSame(await plain.bridge.teardownResource({}), {}, 'and can take it down')
  })
}
