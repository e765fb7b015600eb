import { type CreationAddress, hasUnspacedScript, type KnownNames, normalizeName } from '../parse/find-names.js'
import { SpellingIndex } from '../parse/spelling.js'

interface NamedCreation {
  slug: string
  title: string
  creator: { handle: string; displayName: string }
}

/** A creation and its creator, with normalized names. */
export interface ListedNames {
  address: CreationAddress
  title: string
  person: string
}

export const listedNames = ({ slug, title, creator: { handle, displayName } }: NamedCreation): ListedNames => ({
  address: { handle, slug },
  title: normalizeName(title),
  person: normalizeName(displayName),
})

/** Of several creators with the same name, the first is found. */
export function knownNames(listed: Iterable<ListedNames>): KnownNames {
  const titles = new Map<string, CreationAddress[]>()
  const people = new Map<string, string>()
  const handles = new Set<string>()
  for (const { address, title, person } of listed) {
    const namesakes = titles.get(title)
    if (namesakes === undefined) titles.set(title, [address])
    else namesakes.push(address)
    if (!people.has(person)) people.set(person, address.handle)
    handles.add(address.handle)
  }
  const words = [...titles.keys(), ...people.keys()].flatMap((name) => name.split(' '))
  return {
    titles,
    people,
    handles,
    spelling: new SpellingIndex([...handles, ...words]),
    unspacedTitles: unspacedNames(titles.keys()),
    unspacedPeople: unspacedNames(people.keys()),
  }
}

function unspacedNames(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(hasUnspacedScript)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
