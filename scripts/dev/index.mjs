/** Serves the demo from the sources, and again after every change: `npm run dev`. Arguments are those of `serve`. */
import { fileURLToPath } from 'node:url'
import { Output, otherDevelopment } from './output.mjs'
import { Service } from './service.mjs'
import { Sources } from './sources.mjs'
import { TypeCheck } from './types.mjs'

const USER_ERROR = 2

process.chdir(fileURLToPath(new URL('../../', import.meta.url)))
const other = otherDevelopment()
if (other !== null) {
  console.error(`npm run dev is running here already, as process ${other}. If that is another program, remove the folder .dev.`)
  process.exit(USER_ERROR)
}

const output = new Output()
const sources = new Sources(() => void update())
const types = new TypeCheck()
let wasReady = false
/** The update under way, if any. */
let updating = null
let ending = false

const service = new Service(process.argv.slice(2), {
  onReady({ what, at }, text) {
    if (wasReady) console.error(`Serving ${what}, ${((performance.now() - at) / 1000).toFixed(1)} s after the change.`)
    else process.stdout.write(`${text}  Changes are served as you save them.\n\n`)
    wasReady = true
    types.start()
  },
  onExit(code) {
    // A wrong flag or a port that is taken: no edit helps.
    if (code === USER_ERROR && !wasReady) return void end(USER_ERROR)
    console.error('The program has ended. It is started again after the next change.')
    types.start()
  },
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))
await update()

async function update() {
  updating ??= applyAll()
  await updating
  updating = null
}

/** Until there are none left: more may come while a program is loaded or stops. */
async function applyAll() {
  for (let changes = sources.changes(); hasAny(changes) && !ending; changes = sources.changes()) await apply(changes)
}

async function apply(changes) {
  types.stop()
  const change = { what: describe(changes), at: performance.now() }
  output.update(changes)
  if (output.errors.length > 0) console.error(output.errors.join('\n'))
  else {
    output.write()
    if ((await service.start(change)) || ending) return
  }
  console.error(service.isRunning ? 'Serving what was there before, until this is mended.' : 'Nothing is served until this is mended.')
}

async function end(code) {
  if (ending) return
  ending = true
  sources.close()
  types.stop()
  await service.close()
  await updating
  output.remove()
  process.exit(code)
}

function hasAny({ written, deleted }) {
  return written.length + deleted.length > 0
}

function describe({ written, deleted }) {
  const [path, ...others] = [...written, ...deleted.map((path) => `${path} (deleted)`)]
  return others.length === 0 ? path : `${path} and ${others.length} more`
}
