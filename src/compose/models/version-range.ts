type Version = readonly [major: number, minor: number, patch: number]

const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?(?:[-+].*)?$/i

/**
 * Whether a version is in a range as npm writes it: `^1.2.0 || ^2.0.0`, `>=1.0.0 <3`, `1.0.0 - 2.0.0`, `1.x`, `workspace:^`. As with
 * npm, no text at all means any version. Null for a range that cannot be read.
 */
export function isInRange(version: string, range: string): boolean | null {
  const found = parse(version)
  const alternatives = range.split('||').map((part) => comparatorsOf(part).map(bounds))
  if (found === null || alternatives.some((part) => part.includes(null))) return null
  return alternatives.some((part) => part.every((test) => test?.(found)))
}

const comparatorsOf = (part: string): string[] =>
  part
    .trim()
    // In a workspace, `^` and `~` alone are about the version that is there.
    .replace(/^workspace:[~^]?$/, '*')
    .replace(/^workspace:/, '')
    .replace(/^(\S+)\s+-\s+(\S+)$/, '>=$1 <=$2')
    .replaceAll(/([~^<>=])\s+/g, '$1')
    .split(/\s+/)
    .filter(Boolean)

function parse(text: string): Version | null {
  const [, operator, major, minor = '0', patch = '0'] = COMPARATOR.exec(text) ?? []
  const numbers = [major, minor, patch].map(Number)
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = numbers
  return operator !== undefined || numbers.some(Number.isNaN) ? null : [a, b, c]
}

/** What one comparator of a range accepts. */
function bounds(comparator: string): ((version: Version) => boolean) | null {
  const [whole, operator = '=', ...texts] = COMPARATOR.exec(comparator) ?? []
  if (whole === undefined) return null
  const given = texts.map((text) => (text === undefined || /[x*]/i.test(text) ? null : Number(text)))
  const [major, minor, patch] = [given[0] ?? null, given[1] ?? null, given[2] ?? null]
  if (major === null) return () => true
  const least: Version = [major, minor ?? 0, patch ?? 0]
  /** The first version that `1`, `1.2` or `1.2.3` no longer means. */
  const end: Version = minor === null ? [major + 1, 0, 0] : patch === null ? [major, minor + 1, 0] : [major, minor, patch + 1]
  const above = (version: Version) => compare(version, least) >= 0
  switch (operator) {
    case '>=':
      return above
    case '<':
      return (version) => compare(version, least) < 0
    case '>':
      return (version) => compare(version, end) >= 0
    case '<=':
      return (version) => compare(version, end) < 0
    case '^':
      return (version) => above(version) && compare(version, caretEnd(major, minor, patch)) < 0
    case '~':
      return (version) => above(version) && compare(version, minor === null ? [major + 1, 0, 0] : [major, minor + 1, 0]) < 0
    default:
      return (version) => above(version) && compare(version, end) < 0
  }
}

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** Below 1.0.0 every minor version may break. */
function caretEnd(major: number, minor: number | null, patch: number | null): Version {
  if (major > 0 || minor === null) return [major + 1, 0, 0]
  return minor > 0 || patch === null ? [0, minor + 1, 0] : [0, 0, patch + 1]
}
