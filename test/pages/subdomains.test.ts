import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { rewriteCreatorSubdomain } from '../../src/http/web/creator-subdomains.js'

const SITE = { baseUrl: 'https://api.vitrine.example', webUrl: 'https://www.vitrine.example', publicDomain: 'Vitrine.example' }

const request = (host: string | undefined, url: string, more: Record<string, string> = {}): IncomingMessage =>
  // Only what is looked at.
  ({ url, headers: { ...(host === undefined ? {} : { host }), ...more } }) as unknown as IncomingMessage

t.test('a creator’s address leads to the creator’s pages, and to nothing else', async (t) => {
  const rewrite = rewriteCreatorSubdomain(SITE, false)
  const table: [host: string | undefined, url: string, leadsTo: string][] = [
    ['ada.vitrine.example', '/', '/@ada'],
    ['ada.vitrine.example', '/?locale=de', '/@ada?locale=de'],
    ['ADA.Vitrine.Example', '/tide-clock', '/@ada/tide-clock'],
    ['ada.vitrine.example', '/tide-clock?locale=de&x=/', '/@ada/tide-clock?locale=de&x=/'],
    ['ada.vitrine.example', '/docs', '/@ada/docs'],
    ['ada.vitrine.example', '/ask', '/@ada/ask'],
    ['ada.vitrine.example', '/public/share/community', '/@ada/public/share/community'],
    ['ada.vitrine.example', '/@ben', '/@ada/@ben'],
    ['ada.vitrine.example', '/assets/vitrine.0123456789.css', '/assets/vitrine.0123456789.css'],
    ['ada.vitrine.example', '/covers/x.svg', '/covers/x.svg'],
    ['ada.vitrine.example', '/robots.txt', '/robots.txt'],
    ['www.vitrine.example', '/docs', '/docs'],
    ['api.vitrine.example', '/x', '/x'],
    ['admin.vitrine.example', '/', '/'],
    ['Status.vitrine.example', '/', '/'],
    ['vitrine.example', '/x', '/x'],
    ['a.b.vitrine.example', '/x', '/x'],
    ['-ada.vitrine.example', '/x', '/x'],
    ['.vitrine.example', '/x', '/x'],
    ['evilvitrine.example', '/x', '/x'],
    ['ada.vitrine.example.evil.example', '/x', '/x'],
    ['ada.vitrine.example:8080', '/x', '/x'],
    [undefined, '/x', '/x'],
    ['', '/', '/'],
  ]
  for (const [host, url, leadsTo] of table) t.equal(rewrite(request(host, url)), leadsTo, `${host} ${url}`)
})

t.test('the host a proxy names counts only where proxies are trusted', async (t) => {
  const forwarded = request('inner:3001', '/x', { 'x-forwarded-host': 'evil.example, ada.vitrine.example' })
  t.equal(rewriteCreatorSubdomain(SITE, true)(forwarded), '/@ada/x')
  t.equal(rewriteCreatorSubdomain(SITE, false)(forwarded), '/x')
  t.equal(rewriteCreatorSubdomain(SITE, true)(request('ada.vitrine.example', '/x')), '/@ada/x', 'without one, Host does')
})
