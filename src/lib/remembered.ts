/** Results for recent words. These may be those of an erased person, so all can be forgotten at once. */
const memories = new Set<() => void>()

export function forgetRemembered(): void {
  for (const forget of memories) forget()
}

/** For what remembers by itself. */
export function alsoForget(forget: () => void): void {
  memories.add(forget)
}

/** The same function, which remembers what it gave for recent texts: at most so many characters of them. */
export function remembered<T extends object>(mostCharacters: number, compute: (text: string) => T): (text: string) => T {
  const recent = new Map<string, T>()
  let characters = 0
  const forget = () => {
    recent.clear()
    characters = 0
  }
  alsoForget(forget)
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    const found = compute(text)
    if (characters + text.length > mostCharacters) forget()
    if (text.length > mostCharacters) return found
    recent.set(text, found)
    characters += text.length
    return found
  }
}
