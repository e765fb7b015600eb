interface Destination {
  write(text: string): unknown
}

/**
 * Lines that are written in one turn of the event loop go out together at its end: a busy process would otherwise spend more
 * time on handing over its request log, line by line, than on the answers. What is left when the process ends goes out then.
 */
export function turnByTurn(destination: Destination): Destination {
  let lines = ''
  const handOver = () => {
    const text = lines
    lines = ''
    if (text !== '') destination.write(text)
  }
  process.on('exit', handOver)
  return {
    write(line) {
      if (lines === '') setImmediate(handOver)
      lines += line
    },
  }
}
