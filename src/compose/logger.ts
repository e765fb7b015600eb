import { isatty } from 'node:tty'
import { isMainThread } from 'node:worker_threads'
import { type Logger, pino } from 'pino'
import { indentedStack } from '../lib/message-text.js'
import { visibleText } from '../lib/visible-text.js'
import type { Config } from './config.js'

const STDERR = 2

/**
 * Log lines go to standard error, since standard output belongs to the commands: JSON, or plain text on a terminal. JSON may
 * be shown on one later, so both are made visible.
 * pino joins lines while a write is under way and writes the rest when the process exits. It does not do so when a thread
 * exits, so a thread writes each line at once.
 */
export function createLogger({ LOG_LEVEL }: Config): Logger {
  const stderr = pino.destination({ dest: STDERR, sync: !isMainThread })
  const shown = isatty(STDERR) ? readableLine : visibleJson
  return pino({ level: LOG_LEVEL, base: null }, { write: (line: string) => stderr.write(shown(line)) })
}

/** A JSON line of pino as text: time, level, message, fields; the stack of an error on separate lines. */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, ...fields }: Record<string, unknown> & { err?: { stack?: string } } = JSON.parse(line)
  const clock = new Date(Number(time)).toISOString().slice(11, 23)
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase().padEnd(5)
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = err === undefined ? [] : indentedStack(err.stack ?? JSON.stringify(err))
  return `${[`${clock} ${name} ${msg}${rest.join('')}`, ...stack].map(visibleText).join('\n')}\n`
}

const visibleJson = (line: string): string => `${visibleText(line.trimEnd())}\n`
