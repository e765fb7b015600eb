/** Commands that are interrupted while they work, and what they leave in the folder for temporary files. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { constants } from 'node:os'
import type { Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { ReplayFixture } from '../engine/replay/fixture.js'
import { published, registered } from '../spec/events.js'
import { startVitrine } from './program.js'

/** The folder for temporary files of the program. */
export function temporary() {
  const path = folderWith()
  return { env: { TMPDIR: path }, left: () => readdir(path) }
}

/** A replay that cannot end: it prints far more than a pipe holds, and the pipe is not read. */
export async function stuckReplay(t: Test, fixture: ReplayFixture, env: Record<string, string>) {
  const child = startVitrine(t, ['replay', 'feed', '--data-dir', fixture.folder.path], env)
  await once(child.stdout, 'readable')
  return { child, ended: once(child, 'exit') }
}

/** A shell sees the same either way. Ends by the signal itself, unless there is another listener, such as the test runner's. */
export const endedBySignal = (signal: 'SIGINT' | 'SIGTERM', code: number | null, by: NodeJS.Signals | null): boolean =>
  by === signal || code === 128 + constants.signals[signal]

export const manyCreations = (t: Test): Promise<ReplayFixture> =>
  ReplayFixture.open(t, registered('ada'), ...Array.from({ length: 1500 }, (_, i) => published(`c${i}`, { by: 'ada' })))
