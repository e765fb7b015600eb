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
  let before = count()
  parser.on('child', (child) => {
    before = count()
    follow(child, found)
  })
  parser.on('assert', ({ ok, skip, todo, fullname, name, diag, closingTestPoint }) => {
    // A subtest counts by its assertions, unless it has none or is itself what failed.
    if (closingTestPoint && !skip && !todo && count() > before && (ok || found.failures.length > 0)) return
    const full = [fullname, name].filter(Boolean).join(' › ')
    if (skip || todo) found.skips.push(`${full}: ${skip || todo}`)
    else if (ok) found.passed += 1
    else found.failures.push({ name: full, diag })
  })
}
