import type { Coordination } from '../../../src/ports/coordination.js'
import type { Subject } from '../subject.js'

export type CoordinationSubject = Subject<Coordination & { close(): Promise<void> }>
