interface Destination {
  write(text: string): unknown
}

/** Outputs with unwritten lines. They share one exit listener, because a process may create any number of loggers. */
const pendingFlushes = new Set<() => void>()
process.once('exit', () => {
  for (const flush of pendingFlushes) flush()
})

/**
 * Writes the lines of one turn of the event loop together at its end: line by line, a busy process would spend more time on
 * its request log than on the answers. The rest is written when the process exits.
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
