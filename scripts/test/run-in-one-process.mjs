/** Runs several test files one after the other in one process, so that they share the modules they load. */
import { pathToFileURL } from 'node:url'
import t from 'tap'

// After its first teardown the root test ends as soon as it is idle, which it is while a file is loaded.
const teardown = t.teardown
const works = []
t.teardown = (work) => works.push(work)
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href)
for (const work of works) teardown(work)
t.end()
