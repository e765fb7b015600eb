/** JetStream under the contracts of its ports, on a real server. */
import { randomUUID } from 'node:crypto'
import { connect } from 'nats'
import t from 'tap'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { JetStreamEventStore } from '../../src/adapters/nats/event-store.js'
import { eventLogContract } from '../ports/event-log.js'
import { BRIEF } from '../ports/event-store/events.js'
import { eventStoreContract } from '../ports/event-store.js'
import { eventually } from '../ports/subject.js'
import { natsUrl, PATIENT } from '../servers/nats.js'

const servers = await natsUrl(t)

if (servers !== null) {
  await eventLogContract(t, {
    name: 'JetStream',
    async open() {
      // The server may be in use, so the test has its own streams and subjects.
      const stream = `TEST_${randomUUID()}`
      const handle = () => new JetStreamEventLog({ ...PATIENT, servers, stream, prefix: stream })
      return { store: handle(), another: async () => handle(), remove: () => removeStreams(servers, stream) }
    },
  })

  await eventStoreContract(t, {
    name: 'JetStream',
    async open() {
      const name = `TEST_${randomUUID()}`
      const handle = () => new JetStreamEventStore({ ...PATIENT, servers, name, maxAges: BRIEF })
      return { store: handle(), another: async () => handle(), pass: clockPasses, remove: () => removeStreams(servers, name) }
    },
  })
}

/** A server's clock cannot be moved. */
async function clockPasses(seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1000
  await eventually(async () => Date.now() > until)
}

async function removeStreams(url: string, prefix: string): Promise<void> {
  const connection = await connect({ servers: url })
  const { streams } = await connection.jetstreamManager()
  for await (const name of streams.names()) if (name.startsWith(prefix)) await streams.delete(name)
  await connection.close()
}
