/** `npm run docs:write`: brings the committed documents up to date. */
import { writeFileSync } from 'node:fs'
import { publishedDocuments } from '../dist/src/cli/commands/openapi-and-asyncapi.js'

for (const { path, content } of publishedDocuments()) {
  writeFileSync(path, content)
  console.log(`wrote ${path}`)
}
