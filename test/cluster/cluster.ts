/** NATS and MongoDB as real servers, and the program's processes on them, each with its own roles. */
import type { Test } from 'tap'
import { openMongoStore } from '../../src/adapters/mongo/document-store.js'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { heldLeases } from '../../src/ports/coordination.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { databaseOn } from '../adapters/mongo/databases.js'
import { caughtUp } from '../harness/caught-up.js'
import { vitrine } from '../harness/command.js'
import { type Finished, Serving, spawnVitrine } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { type MongoOptions, type MongoServers, startMongo } from '../servers/mongo.js'
import { type NatsServer, PATIENT, startNats } from '../servers/nats.js'

const STREAM = 'APP_EVENTS'

export class Cluster {
  readonly log: JetStreamEventLog
  /** The flags of every process of the cluster. */
  readonly flags: readonly string[]

  /** Null if the servers are not available. */
  static async start(t: Test, members = 1, options: MongoOptions = {}): Promise<Cluster | null> {
    const nats = await startNats(t)
    const mongo = await startMongo(t, members, options)
    if (nats === null || mongo === null) return null
    const url = databaseOn(mongo.url)
    const folder = await temporaryFolder()
    const cluster = new Cluster(nats, mongo, url, folder, await openMongoStore(url))
    t.teardown(async () => {
      await cluster.documents.close()
      await cluster.log.close()
      await removeFolder(folder)
    })
    return cluster
  }

  private constructor(
    readonly nats: NatsServer,
    readonly mongo: MongoServers,
    url: string,
    readonly folder: string,
    readonly documents: DocumentStore,
  ) {
    this.log = new JetStreamEventLog({ ...PATIENT, servers: nats.url, stream: STREAM })
    this.flags = ['--nats-url', nats.url, '--mongodb-url', url, '--eventstore-url', 'nats']
  }

  /** The same servers, for the processes of another release. */
  ofRelease(main: string): Pick<Cluster, 'serve' | 'run'> {
    return {
      serve: (t, roles, ...args) => Serving.start(t, this.folder, [...this.flags, '--roles', roles, ...args], {}, main),
      run: (command, ...args) => spawnVitrine([command, ...args, ...this.flags, '--data-dir', this.folder], { main }),
    }
  }

  serve(t: Test, roles: string, ...args: string[]): Promise<Serving> {
    return Serving.start(t, this.folder, [...this.flags, '--roles', roles, ...args])
  }

  run(command: string, ...args: string[]): Promise<Finished> {
    return vitrine([command, ...args, ...this.flags, '--data-dir', this.folder])
  }

  /** Compares all models with what the log says. */
  verify(): Promise<Finished> {
    return this.run('verify', 'all')
  }

  /** Waits until every model has caught up with the log. */
  async caughtUp(): Promise<void> {
    await caughtUp(this.documents, (await this.log.bounds()).last)
  }

  /** How many projections each process leads now. */
  async shares(): Promise<Map<number, number>> {
    const shares = new Map<number, number>()
    for (const { holder } of await heldLeases(this.documents)) {
      const pid = Number(holder.split('/')[1])
      shares.set(pid, (shares.get(pid) ?? 0) + 1)
    }
    return shares
  }

  /** Waits until these processes alone lead all projections, in these shares, in any order. */
  async shared(processes: readonly Serving[], shares: readonly number[]): Promise<void> {
    await eventually(async () => {
      const now = await this.shares()
      const counts = processes.map(({ pid }) => now.get(pid ?? 0) ?? 0).sort()
      return now.size === processes.length && String(counts) === String(shares)
    })
  }
}
