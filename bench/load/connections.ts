/** Thousands of connections that stay open, on a real process: each is answered twice, with all the others open in between. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { COMMUNITY } from '../../test/harness/community.js'
import { DataFolder } from '../../test/harness/data-folder.js'
import { Serving } from '../../test/harness/program.js'
import { request } from '../../test/harness/sockets.js'
import type { Figure } from '../figures.js'
import { TeardownStack } from '../servers.js'

/** Few enough not to be turned away by the admission controller. */
const AT_ONCE = 30

export async function benchConnections(count: number): Promise<Figure[]> {
  const t = new TeardownStack()
  try {
    const folder = await DataFolder.of(t, ...COMMUNITY)
    const serving = await Serving.start(t, folder.path, ['--max-connections', String(count + AT_ONCE)])
    await serving.ready()
    const sockets: Socket[] = []
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => connect(serving.api, '127.0.0.1'))
      sockets.push(...some)
      await inGroups(some, answered)
    }
    const open = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length
    const again = await inGroups(sockets, answered)
    const { body } = await request(serving.admin, '/metrics')
    const resident = Number(/^vitrine_process_resident_memory_bytes (\S+)/m.exec(body)?.[1])
    const value = again.filter(Boolean).length
    return [
      {
        name: `of ${count} open connections, answered twice`,
        value,
        unit: '',
        reference: `${open} still open, ${Math.round(resident / 1e6)} MB resident`,
        goal: `${count}`,
        met: open === count && value === count,
      },
    ]
  } finally {
    await t.all()
  }
}

async function answered(socket: Socket): Promise<boolean> {
  socket.write('GET /public/share/tags HTTP/1.1\r\nHost: x\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  return String(chunk).startsWith('HTTP/1.1 200 ')
}

async function inGroups<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < all.length; i += AT_ONCE) results.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map(each))))
  return results
}
