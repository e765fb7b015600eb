/** The same in query processes: the supervisor would start another one, and hide that one has ended. */
import t from 'tap'
import { eventually } from '../../ports/subject.js'
import { childrenOf } from '../../support/linux-processes.js'
import { HostileService } from './hostile-service.js'
import { throwsWhereNothingAwaits } from './stray-faults.js'

t.test('what a custom read throws where nothing awaits it ends no query process', async (t) => {
  const service = await HostileService.start(t, '--workers', '2')
  const { serving } = service
  const processes = childrenOf(serving.pid)
  t.equal(processes.length, 2)
  await throwsWhereNothingAwaits(t, service)
  t.strictSame(childrenOf(serving.pid), processes)

  serving.stderr = ''
  process.kill(processes[0] ?? 0, 'SIGUSR2')
  await eventually(async () => serving.stderr.includes('another takes its place'))
  t.match(serving.stderr, /Error: outside custom reads\n +at /, 'what is thrown elsewhere ends it, as ever')
  t.match(serving.stderr, '"how":1')
})
