import type { Test } from 'tap'
import { eventually } from '../../ports/subject.js'
import type { HostileService } from './hostile-service.js'

const FAULTS = { rejection: 'a rejection', text: /"a text"/, timer: 'a timer', later: 'later', read: /no index "byColour"/ }

/** An own read leaves rejections and exceptions behind. Each is logged and counted. */
export async function throwsWhereNothingAwaits(t: Test, service: HostileService): Promise<void> {
  const { serving } = service
  for (const [how, message] of Object.entries(FAULTS)) {
    serving.stderr = ''
    t.equal((await service.own('stray', { how })).statusCode, 200)
    await eventually(async () => !serving.isRunning || service.faults.length > 0)
    t.match(service.faults, [{ operation: 'x_gardens_stray', err: { message } }], how)
  }
  const counted = /^vitrine_own_read_faults_total\{operation="x_gardens_stray",fault="thrown"\} 5$/m
  await eventually(async () => counted.test(await service.metrics()))
}
