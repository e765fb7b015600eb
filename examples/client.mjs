/**
 * Reads, pages, asks and follows a job with `vitrine/client`. Beside a running demo (`npm start`), with Node 20 or newer:
 *
 *   node examples/client.mjs
 *
 * Another installation: API_URL=https://api.example.com WEB_URL=https://example.com node examples/client.mjs
 */
import { ApiError, createClient } from 'vitrine/client'

const { API_URL = 'http://127.0.0.1:3000', WEB_URL = 'http://127.0.0.1:3001' } = process.env
const vitrine = createClient({ apiUrl: API_URL, webUrl: WEB_URL })

const { items, total } = await vitrine.getCommunityFeed({ sort: 'trending', limit: 3 })
console.log(`Trending, of ${total}: ${items.map(({ title }) => title).join(', ')}`)

// The next page is fetched when the loop gets to it.
let plays = 0
for await (const creation of vitrine.items('getCommunityFeed', { sort: 'popular', limit: 48 })) {
  if (creation.stats.plays < 500) break
  plays += creation.stats.plays
}
console.log(`The most popular creations were played ${plays} times.`)

// Up to ten reads in one request; one that fails fails alone.
const { tags, nobody } = await vitrine.batch({
  tags: { operation: 'getPopularTags' },
  nobody: { operation: 'getCreatorProfile', arguments: { handle: 'nobody-here' } },
})
if (tags.ok)
  console.log(
    `Tags: ${tags.data.items
      .slice(0, 3)
      .map(({ label }) => label)
      .join(', ')}`,
  )
if (!nobody.ok) console.log(`No profile: ${nobody.error.message}`)

try {
  await vitrine.getCommunityFeed({ limit: 1000 })
} catch (error) {
  if (!(error instanceof ApiError) || error.error !== 'validation_failed') throw error
  console.log(`Refused: ${error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
}

for await (const event of vitrine.askStream('what is trending in games?')) {
  if (event.message_type === 'result') console.log(`- ${event.item.name}`)
  if (event.message_type === 'complete') console.log(event.answer)
}

// Answered in the background, and polled every five seconds.
console.log((await vitrine.askJob('how much is the smallest plan?')).answer)
