/** The runbook on mistakes of upstream, as written, beside a running `serve`. */
import { connect } from 'nats'
import t from 'tap'
import { Cluster } from '../cluster/cluster.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { embedded, MISTAKES, play } from './upstream-mistakes.js'

for (const mistake of MISTAKES) {
  await t.test(`on SQLite: ${mistake.heading}`, async (t) => {
    const folder = await DataFolder.open(t)
    const serving = await Serving.start(t, folder.path)
    await serving.ready()
    await play(t, embedded(folder, serving.api), mistake)
    t.equal(await serving.end('SIGTERM'), 0)
  })

  await t.test(`on NATS and MongoDB: ${mistake.heading}`, async (t) => {
    const cluster = await Cluster.start(t)
    if (cluster === null) return
    const serving = await cluster.serve(t, 'project,query,ask')
    await serving.ready()
    await play(
      t,
      {
        folder: cluster.folder,
        run: (command, ...args) => cluster.run(command, ...args),
        // Without a message id the server takes anything, as it does once it has forgotten the id.
        async force({ subject, payload }) {
          const connection = await connect({ servers: cluster.nats.url })
          await connection.jetstream().publish(`app.events.${subject.replace('/', '.')}`, payload)
          await connection.close()
        },
        caughtUp: () => cluster.caughtUp(),
        apiPort: serving.api,
      },
      mistake,
    )
    t.equal(await serving.end('SIGTERM'), 0)
  })
}
