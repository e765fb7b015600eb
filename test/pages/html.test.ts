import t from 'tap'
import { dataBlock, html, trusted } from '../../src/http/html.js'
import { httpUrlOrNull } from '../../src/http/web/pages/cards.js'

t.test('text is escaped wherever it goes', async (t) => {
  const hostile = `<script>alert(1)</script>"'\`&amp;`
  const escaped = '&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#96;&#38;amp;'
  t.equal(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
  t.equal(html`${[hostile, [hostile]]}`.text, escaped + escaped, 'in lists, and in lists of lists')
  t.equal(html`${html`<b>${hostile}</b>`}`.text, `<b>${escaped}</b>`, 'once, however deep')
})

t.test('nothing comes of nothing', async (t) => {
  t.equal(html`[${null}${undefined}${false}${[]}${''}]`.text, '[]')
  t.equal(html`[${0}]`.text, '[0]', 'but zero is something')
  t.equal(html`${trusted('<i>ours</i>')}`.text, '<i>ours</i>')
})

t.test('data in a page cannot end its block, and stays what it was', async (t) => {
  const data = { text: '</script><script>alert(1)</script><!-- \u2028 \u2029 & "quoted"', list: [1, null] }
  const { text } = dataBlock('application/ld+json', data)
  t.match(text, /^<script type="application\/ld\+json">[^<>&\u2028\u2029]*<\/script>$/)
  t.strictSame(JSON.parse(text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'))), data)
})

t.test('only web addresses become links and pictures', async (t) => {
  for (const good of ['https://a.example/', 'http://a.example/x?y=1#z']) t.equal(httpUrlOrNull(good), good)
  const bad = ['javascript:alert(1)', 'data:text/html,x', '//a.example', '/x', 'vbscript:x', 'https://', ' https://a.example', '', null]
  for (const address of bad) t.equal(httpUrlOrNull(address), null, String(address))
})
