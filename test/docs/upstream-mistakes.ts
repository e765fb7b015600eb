/** The mistakes of upstream that the runbook describes, played through as it says, on any installation. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { LogRecord } from '../../src/ports/event-log.js'
import { vitrine } from '../harness/command.js'
import type { DataFolder } from '../harness/data-folder.js'
import type { Finished } from '../harness/program.js'
import { but, edited, liked, played, published, registered, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'

/** A running service with an empty log. */
interface Installation {
  folder: string
  run(command: string, ...args: string[]): Promise<Finished>
  /** Puts a record into the log as a backend can: unchecked, perhaps a second time. */
  force(record: LogRecord): Promise<void>
  caughtUp(): Promise<void>
  apiPort: number
}

/** An installation on SQLite. */
export const embedded = (folder: DataFolder, apiPort: number): Installation => ({
  folder: folder.path,
  run: (command, ...args) => vitrine([command, ...args, '--data-dir', folder.path]),
  // The log refuses the same id, but another program may have written the same event under another one.
  force: (record) => folder.append([{ ...record, id: `${record.id} again` }]),
  caughtUp: () => folder.caughtUp(),
  apiPort,
})

interface Mistake {
  heading: string
  /** What upstream sends before each block of commands. */
  sends: Record<number, readonly Told[]>
  /** The last record of what is sent before this block is sent twice. */
  repeatsBefore?: number
  /** What the log gets after that, which `publish` would refuse. */
  conflict?: Told
  /** Files that commands name. */
  files?: Record<string, readonly Told[]>
  /** What readers get in the end, by slug. */
  healed: Record<string, { title: string; stats: { likes?: number; plays?: number } }>
}

const at = (sequence: number, told: Told): Told => but(told, { sequence, id: `${told.subject}-${sequence}` })
const FIRST = [at(1, registered('ada')), at(1, published('c_81', { by: 'ada', title: { en: 'Tide' } }))]

export const MISTAKES: readonly Mistake[] = [
  {
    heading: 'An event comes late',
    sends: { 0: [...FIRST, at(3, liked('c_81', 'ben'))], 1: [at(2, edited('c_81', { title: { en: 'Tide Clock' } }))] },
    healed: { 'c_81-slug': { title: 'Tide Clock', stats: { likes: 1 } } },
  },
  {
    heading: 'An event comes again',
    sends: { 0: FIRST, 1: [at(2, played('c_81'))] },
    repeatsBefore: 1,
    files: { 'again.ndjson': FIRST },
    healed: { 'c_81-slug': { title: 'Tide', stats: { plays: 1 } } },
  },
  {
    heading: 'Events were lost, and are found',
    sends: { 0: [...FIRST, at(9, liked('c_81', 'u9')), at(2, liked('c_82', 'ben'))] },
    files: {
      'found.ndjson': [
        ...[5, 3, 8, 2, 7, 4, 6].map((sequence) => at(sequence, liked('c_81', `u${sequence}`))),
        at(1, published('c_82', { by: 'ada', title: { en: 'Dial' } })),
      ],
    },
    healed: { 'c_81-slug': { title: 'Tide', stats: { likes: 8 } }, 'c_82-slug': { title: 'Dial', stats: { likes: 1 } } },
  },
  {
    heading: 'Two events have one sequence',
    sends: { 0: [...FIRST, at(2, edited('c_81', { title: { en: 'Tide Clock' } }))] },
    conflict: but(edited('c_81', { title: { en: 'Tide Dial' } }), { sequence: 2, id: 'another' }),
    healed: { 'c_81-slug': { title: 'Tide Clock', stats: { likes: 0 } } },
  },
]

/** Follows one section of the runbook. */
export async function play(t: Test, installation: Installation, mistake: Mistake): Promise<void> {
  const { sends, repeatsBefore, conflict, files = {}, healed } = mistake
  const script = new Script()
  const write = (file: string, told: readonly Told[]) => writeEvents(installation.folder, file, script.write(...told))
  const blocks = blocksOf(mistake.heading)
  t.ok(blocks.length > 0, `the runbook has a section "${mistake.heading}"`)
  for (const [i, { commands, shown }] of blocks.entries()) {
    if (sends[i] !== undefined) t.match(await installation.run('publish', await write('upstream.ndjson', sends[i])), { code: 0 })
    const last = script.records.at(-1)
    if (i === repeatsBefore && last !== undefined) await installation.force(last)
    if (i === 0 && conflict !== undefined) for (const record of script.write(conflict)) await installation.force(record)
    let printed = ''
    for (const [command = '', ...args] of commands) {
      await installation.caughtUp()
      const resolved = await Promise.all(args.map(async (arg) => (files[arg] === undefined ? arg : write(arg, files[arg]))))
      const { code, stdout, stderr } = await installation.run(command, ...resolved)
      const isBad = command === 'doctor' && shown.some((line) => line.startsWith('BAD'))
      t.equal(code, isBad ? 1 : 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
      printed += stdout
    }
    for (const line of shown) t.match(printed, line, commands.map((words) => words.join(' ')).join('; '))
  }
  for (const [slug, expected] of Object.entries(healed)) {
    const answer = await fetch(`http://127.0.0.1:${installation.apiPort}/public/share/app/ada/${slug}`)
    t.match(await answer.json(), { code: 0, data: expected }, slug)
  }
}

interface Block {
  commands: string[][]
  /** Lines that the commands print, or parts of such lines. */
  shown: string[]
}

/** The blocks of commands of a section, each followed by what one sees. */
export function blocksOf(heading: string, page = 'docs/runbook.md', mark = '###'): Block[] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n${mark} ${heading}\n`)
  const [text = ''] = section.split(`\n${mark} `)
  return [...text.matchAll(/```sh\n(.+?)```\n\n```text\n(.+?)```/gs)].map(([, commands = '', shown = '']) => ({
    commands: linesOf(commands).map((line) => wordsOf(line.replace('npx vitrine ', ''))),
    shown: linesOf(shown),
  }))
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n')

/** As a shell splits them: quotes hold words together. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')

async function writeEvents(folder: string, name: string, records: readonly LogRecord[]): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, records.map(({ payload }) => `${payload}\n`).join(''))
  return file
}
