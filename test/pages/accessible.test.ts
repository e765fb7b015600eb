/** Every kind of page is accessible, in light and dark, and on the smallest phone. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { demoLog } from '../../demo/index.js'
import { Gallery } from './gallery.js'

const AXE = fileURLToPath(new URL('axe.min.js', import.meta.resolve('axe-core')))

await t.test('every kind of page', async (t) => {
  const gallery = await Gallery.open(t, ({ webUrl }) => ({ records: demoLog({ creators: 10, creations: 60, seed: 3, webUrl }) }))
  if (gallery === null) return
  const axe = await readFile(AXE, 'utf8')
  const { items } = (await gallery.service.get('/public/share/community?sort=popular&limit=48')).json().data
  const scored = []
  for (const { creator, slug } of items) {
    const { leaderboard, remixes } = (await gallery.service.get(`/public/share/app/${creator.handle}/${slug}`)).json().data
    if (leaderboard.length > 0) scored.push({ address: `/@${creator.handle}/${slug}`, weight: leaderboard.length + remixes.length })
  }
  const [richest] = scored.sort((a, b) => b.weight - a.weight)
  const pages = [
    '/',
    '/?tag=minimal&sort=liked',
    '/?q=nothing+is+called+this',
    `/@${items[0].creator.handle}`,
    richest?.address ?? '',
    '/docs',
    '/changelog',
    '/nothing-here',
  ]
  t.notOk(pages.includes(''), 'there is a creation with a leaderboard')

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`has nothing to complain about for axe, ${colorScheme}`, async (t) => {
      const page = await gallery.visitor(t, { colorScheme, reducedMotion: 'reduce' })
      for (const url of pages) {
        await page.goto(url)
        // What is folded away is part of the page as well.
        await page.evaluate('for (const folded of document.querySelectorAll(".endpoint details")) folded.open = true')
        await page.evaluate(axe)
        const violations = (await page.evaluate(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]))',
        )) as unknown[]
        t.strictSame(violations, [], url)
      }
    })
  }

  await t.test('does not scroll sideways at 320 pixels', async (t) => {
    const page = await gallery.visitor(t, { viewport: { width: 320, height: 640 } })
    for (const url of pages) {
      for (const locale of url.startsWith('/docs') ? ['en'] : ['en', 'de', 'ja']) {
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}locale=${locale}`)
        t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, `${url} ${locale}`)
      }
    }
  })
})
