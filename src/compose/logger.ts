import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Config } from './config.js'

const STDERR = 2

/** Log lines go to standard error, since standard output belongs to the commands: JSON, or plain text on a terminal. */
export function createLogger({ LOG_LEVEL }: Config): Logger {
  const stderr = pino.destination(STDERR)
  const destination = isatty(STDERR) ? { write: (line: string) => stderr.write(readableLine(line)) } : bufferPerTick(stderr)
  return pino({ level: LOG_LEVEL, base: null }, destination)
}

interface Destination {
  write(text: string): unknown
}

/** Loggers with unwritten lines. They share one exit listener: a process may create any number of loggers. */
const pendingFlushes = new Set<() => void>()
process.once('exit', () => {
  for (const flush of pendingFlushes) flush()
})

/**
 * Lines of one turn of the event loop are written together at its end: a busy process would otherwise spend more time on
 * writing its request log, line by line, than on the answers. The rest is written when the process exits. pino's own
 * asynchronous destination loses the rest when a worker thread exits.
 */
export function bufferPerTick(destination: Destination): Destination {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    pendingFlushes.delete(flush)
    if (text !== '') destination.write(text)
  }
  return {
    write(line) {
      if (lines === '') {
        setImmediate(flush)
        pendingFlushes.add(flush)
      }
      lines += line
    },
  }
}

/** A JSON line of pino as text: time, level, message, fields; the stack of an error on lines of its own. */
export function readableLine(line: string): string {
  const { time, level, msg = '', err, ...fields }: Record<string, unknown> & { err?: { stack?: string } } = JSON.parse(line)
  const clock = new Date(Number(time)).toISOString().slice(11, 23)
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase().padEnd(5)
  const rest = Object.entries(fields).map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = err === undefined ? '' : `\n${err.stack ?? JSON.stringify(err)}`
  return `${maskControls(`${clock} ${name} ${msg}${rest.join('')}${stack}`)}\n`
}

/** Fields may hold what callers send: nothing in them may control the terminal. */
const maskControls = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, '·')
