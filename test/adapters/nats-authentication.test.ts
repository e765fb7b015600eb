/** Authentication: what each kind of NATS server wants to see, and the error when it is missing. */
import { credsAuthenticator } from 'nats'
import t, { type Test } from 'tap'
import type { NatsOptions } from '../../src/adapters/nats/connection.js'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { certificateIn } from '../servers/certificates.js'
import { type NatsServer, PATIENT, startNats } from '../servers/nats.js'
import { operatorIn } from '../servers/nats-keys.js'
import { folderWith } from './folder.js'

t.test('with a token', async (t) => {
  const server = await startNats(t, { args: ['--auth', 'token-of-this-test'], client: { token: 'token-of-this-test' } })
  if (server === null) return
  await letsIn(t, server, { token: 'token-of-this-test' })
  await keepsOut(t, server, { token: 'another' }, /authorization/i)
  await keepsOut(t, server, {}, /authorization/i)
})

t.test('with a credentials file', async (t) => {
  const { configFile, credentials } = await operatorIn(folderWith())
  const client = { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }
  const server = await startNats(t, { args: ['-c', configFile], client })
  if (server === null) return
  await letsIn(t, server, { credentials })
  await keepsOut(t, server, {}, /authorization|authentication/i)
  const { credentials: stranger } = await operatorIn(folderWith())
  await keepsOut(t, server, { credentials: stranger }, /authorization|authentication/i)
  await keepsOut(t, server, { credentials: 'no such thing' }, /./)
})

t.test('with TLS', async (t) => {
  const own = await certificateIn(folderWith(), 'server')
  const args = ['--tls', '--tlscert', own.certFile, '--tlskey', own.keyFile]
  const server = await startNats(t, { args, client: { tls: { ca: own.cert } } })
  if (server === null) return
  await letsIn(t, server, { tls: { ca: own.cert } })
  const address = { ...server, url: server.url.replace('nats://', 'tls://') }
  await letsIn(t, address, { tls: { ca: own.cert } })
  await keepsOut(t, address, {}, /certificate/i, 'a server with an unknown certificate')
  const other = await certificateIn(folderWith(), 'other')
  await keepsOut(t, server, { tls: { ca: other.cert } }, /certificate/i, 'nor this authority')
})

t.test('with a certificate of our own', async (t) => {
  const folder = folderWith()
  const own = await certificateIn(folder, 'server')
  const vitrine = await certificateIn(folder, 'vitrine')
  const args = ['--tlsverify', '--tlscert', own.certFile, '--tlskey', own.keyFile, '--tlscacert', vitrine.certFile]
  const ours = { ca: own.cert, cert: vitrine.cert, key: vitrine.key }
  const server = await startNats(t, { args, client: { tls: ours } })
  if (server === null) return
  await letsIn(t, server, { tls: ours })
  await keepsOut(t, server, { tls: { ca: own.cert } }, /./)
  await keepsOut(t, server, { tls: { ca: own.cert, cert: own.cert, key: own.key } }, /./)
})

type Entry = Omit<NatsOptions, 'servers'>

async function letsIn(t: Test, server: NatsServer, entry: Entry): Promise<void> {
  const { appended, duplicates } = await opened(t, server, entry).append([{ id: 'a', subject: 'creation/a', payload: '{}' }])
  t.equal(appended + duplicates, 1, 'is accepted')
}

async function keepsOut(t: Test, server: NatsServer, entry: Entry, complaint: RegExp, what = 'is kept out'): Promise<void> {
  await t.rejects(opened(t, server, entry).bounds(), { name: 'NatsUnavailableError', message: complaint }, what)
}

function opened(t: Test, server: NatsServer, entry: Entry): JetStreamEventLog {
  const log = new JetStreamEventLog({ ...PATIENT, stream: 'APP_EVENTS', servers: server.url, ...entry })
  t.teardown(() => log.close())
  return log
}
