import { Parser } from 'tap-parser'

/** Settles, at the end of the stream, with how many assertions passed and which failed or were skipped. */
export function readTap(stream) {
  const parser = new Parser()
  const found = { passed: 0, failures: [], skips: [] }
  follow(parser, found)
  return new Promise((resolve) => {
    parser.on('complete', () => resolve(found))
    stream.pipe(parser)
  })
}

function follow(parser, found) {
  const count = () => found.passed + found.failures.length + found.skips.length
  let counted = 0
  let failed = 0
  parser.on('child', (child) => {
    counted = count()
    failed = found.failures.length
    follow(child, found)
  })
  parser.on('assert', ({ ok, skip, todo, fullname, diag, closingTestPoint }) => {
    // A subtest counts by its assertions, unless it has none or is itself what failed.
    const toldWithin = ok ? count() > counted : found.failures.length > failed
    if (closingTestPoint && !skip && !todo && toldWithin) return
    if (skip || todo) found.skips.push(`${fullname}: ${skip || todo}`)
    else if (ok) found.passed += 1
    else found.failures.push({ name: fullname, diag })
  })
}
