/** The files that the program is made of, and when they change. */
import { readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** TypeScript in here is compiled; everything else is read by the program at its start. */
const FOLDERS = ['src', 'projections', 'readmodels', 'demo', 'content', 'public', 'assets', 'docs']
const FILES = ['package.json', '.env', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

/** An editor writes a file in several steps, and a checkout writes many files. */
const QUIET_MS = 50
/** Used if the system cannot watch this many folders. */
const POLL_MS = 1000

export class Sources {
  #known = new Map()
  #watchers = new Map()
  #poll = null
  #timer = null
  #onChange

  /** `onChange` is called once files have stopped changing. */
  constructor(onChange) {
    this.#onChange = onChange
  }

  /** Paths that are new, changed or gone since the last call. At first: all. */
  changes() {
    const found = new Map()
    const folders = new Set(['.'])
    for (const folder of FOLDERS) scan(folder, found, folders)
    for (const file of FILES) note(file, found)
    const paths = [...new Set([...found.keys(), ...this.#known.keys()])]
    const changed = paths.filter((path) => found.get(path) !== this.#known.get(path))
    const written = changed.filter((path) => found.has(path))
    const deleted = changed.filter((path) => !found.has(path))
    this.#known = found
    this.#watch(folders)
    return { written, deleted }
  }

  close() {
    for (const watcher of this.#watchers.values()) watcher.close()
    clearInterval(this.#poll)
    clearTimeout(this.#timer)
  }

  #watch(folders) {
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#forget(folder)
    for (const folder of folders) {
      if (this.#poll !== null || this.#watchers.has(folder)) continue
      try {
        this.#watchers.set(folder, this.#watchFolder(folder))
        // Something may have changed in it before it was watched.
        this.#changed()
      } catch (error) {
        if (error.code === 'ENOENT') continue
        console.error(`Cannot watch ${folder} (${error.code}): looking for changes every second.`)
        this.#poll = setInterval(() => this.#onChange(), POLL_MS)
      }
    }
  }

  /** The reports differ between systems: they only say when to look. */
  #watchFolder(folder) {
    const watcher = watch(folder, (event, name) => {
      if (folder === '.' && name !== null && !FILES.includes(name) && !FOLDERS.includes(name)) return
      // A folder that was deleted and made again has to be watched again.
      if (event === 'rename' && name !== null) this.#forget(join(folder, name))
      this.#changed()
    })
    return watcher.on('error', () => this.#changed())
  }

  /** With the folders in it. */
  #forget(path) {
    for (const [folder, watcher] of this.#watchers) {
      if (folder !== path && !folder.startsWith(join(path, '/'))) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
  }

  #changed() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onChange(), QUIET_MS)
  }
}

function scan(folder, found, folders) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    // Gone, or not there in this checkout.
    return
  }
  folders.add(folder)
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) scan(path, found, folders)
    else if (!isTemporary(entry.name)) note(path, found)
  }
}

/** What editors keep beside the file that is being edited. */
const isTemporary = (name) => /^\.#|^#|~$|\.sw[a-z]$|^4913$/.test(name)

function note(path, found) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) found.set(path, `${stat.mtimeMs} ${stat.size} ${stat.ino}`)
}
