import type { Test } from 'tap'
import { eventually } from '../../ports/subject.js'
import type { HostileService } from './hostile-service.js'

const UNREADABLE = 'what was thrown cannot be read'
const FAULTS = {
  ...{ rejection: 'a rejection', text: "'a text'", timer: 'a timer', later: 'later', read: /no index "byColour"/ },
  ...{ getter: UNREADABLE, proxy: UNREADABLE, revoked: UNREADABLE, revokedRejection: UNREADABLE },
  ...{ causes: /^cause 49999: cause 49998: .*cause 49996$/, large: /^large / },
}
const MAX_LINE = 20_000

/** A custom read leaves rejections and exceptions behind. Each is logged and counted. */
export async function throwsWhereNothingAwaits(t: Test, service: HostileService): Promise<void> {
  const { serving } = service
  /** A slow machine may also name a read that holds the event loop. */
  const thrown = () => service.faults.filter(({ err }) => err !== undefined)
  for (const [how, message] of Object.entries(FAULTS)) {
    serving.stderr = ''
    t.equal((await service.own('stray', { how })).statusCode, 200)
    await eventually(async () => !serving.isRunning || thrown().length > 0)
    t.ok(serving.isRunning, how)
    t.ok(serving.stderr.length < MAX_LINE, `${how}: a short line`)
    t.match(thrown(), [{ operation: 'x_gardens_stray', err: { message } }], how)
  }
  const counted = /^vitrine_own_read_faults_total\{operation="x_gardens_stray",fault="thrown"\} 11$/m
  await eventually(async () => counted.test(await service.metrics()))
}
