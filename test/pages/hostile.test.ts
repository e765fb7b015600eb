/** Pages show hostile text of every field, and browsers run none of it. */
import t from 'tap'
import { ATTACKERS, ATTACKS, hostile } from '../spec/attacks.js'
import { Gallery } from './gallery.js'

await t.test('hostile text', async (t) => {
  const gallery = await Gallery.open(t, () => ({ events: ATTACKERS }))
  if (gallery === null) return
  const asked = encodeURIComponent(ATTACKS.slice(0, 3).join(' '))
  const pages = [
    '/',
    '/?sort=liked',
    `/?q=${asked}`,
    `/?tag=${asked}`,
    `/?category=${asked}`,
    `/?q=attack&tag=${asked}&featuredOnly=true&sort=${asked}`,
    `/?locale=${asked}`,
    '/@mallory',
    '/@trudy?locale=de',
    '/@mallory/attack',
    '/@trudy/remix',
    `/@${asked}`,
    `/@mallory/${asked}`,
    `/${asked}`,
    `http://mallory.${gallery.site.publicDomain}/`,
    `http://mallory.${gallery.site.publicDomain}/attack?x=${asked}`,
  ]

  await t.test('is shown and not run, on every page', async (t) => {
    const page = await gallery.visitor(t, { viewport: { width: 320, height: 640 } })
    for (const url of pages) {
      await page.goto(url)
      const what = decodeURIComponent(url).slice(0, 40)
      t.equal(await page.evaluate('window.hacked'), undefined, what)
      t.equal(await page.locator('img[src="x"], [onerror], [onload], svg[onload]').count(), 0, `${what}: no element has come of it`)
      t.equal(await page.locator('a[href^="javascript" i]').count(), 0, `${what}: no link either`)
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, `${what}: nor does it widen the page`)
    }
    await page.goto('/@mallory/attack')
    t.equal((await page.locator('h1').innerText()).replaceAll(/\s+/g, ' '), hostile(200).replaceAll(/\s+/g, ' ').trim(), 'word for word')
    const data = await page.locator('script[type="application/ld+json"]').textContent()
    t.equal(JSON.parse(data ?? '').name, hostile(200))
  })

  await t.test('does not harm people who follow a link, and is not recommended', async (t) => {
    const page = await gallery.visitor(t)
    await page.goto('/@mallory')
    const links = await page.locator('.links a').evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('rel')))
    t.equal(links.length, ATTACKS.length)
    for (const rel of links) t.match(rel, /nofollow ugc/)
  })

  await t.test('is only text in questions and answers', async (t) => {
    const page = await gallery.visitor(t)
    await page.goto('/')
    const hostileAnswer = [
      'event: start\ndata: {"_meta":{}}\n\n',
      `event: result\r\ndata: ${JSON.stringify({ item: { name: ATTACKS[1], url: 'javascript:window.hacked=1' } })}\r\n\r\n`,
      `event: result\ndata: ${JSON.stringify({ item: { name: ATTACKS[1], url: 'https://links.invalid/' } })}\n\n`,
      `event: complete\ndata: ${JSON.stringify({ answer: ATTACKS.join(' '), citations: [{ title: ATTACKS[0], url: 'data:text/html,x' }] })}\n\n`,
    ].join('')
    await page.route('**/ask', (route) => route.fulfill({ contentType: 'text/event-stream; charset=utf-8', body: hostileAnswer }))
    await page.getByRole('textbox', { name: 'Ask about the gallery' }).fill(ATTACKS[1] ?? '')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.locator('.answer-text:not([data-waiting])').waitFor()
    t.equal(await page.evaluate('window.hacked'), undefined)
    t.strictSame(
      await page.locator('.answer a').evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href'))),
      ['https://links.invalid/'],
      'only web addresses are links',
    )
    t.match(await page.locator('.answer-text').innerText(), /<script>window\.hacked=1<\/script>/)
  })
})
