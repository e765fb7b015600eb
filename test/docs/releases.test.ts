/** A release says what it brings, when, and how to upgrade to it. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'

const run = promisify(execFile)

await t.test('notes are printed only for what is ready to be released', async (t) => {
  const ready = {
    'package.json': JSON.stringify({ version: '1.2.0' }),
    'package-lock.json': JSON.stringify({ version: '1.2.0' }),
    'CHANGELOG.md':
      '# Changelog\n\nWhat changes.\n\n## 1.2.0 - 2027-01-31\n\n### Added\n\n- Something.\n\n## 1.1.0 - 2027-01-01\n\nOlder.\n',
    'docs/openapi.json': '{}',
    'docs/openapi.released.json': '{}',
  }
  const notes = (files: Record<string, string>, tag = 'v1.2.0') =>
    run(process.execPath, [resolve('scripts/release.mjs'), tag], { cwd: folderWith({ ...ready, ...files }) })
  t.equal((await notes({})).stdout, '### Added\n\n- Something.\n')
  const table: [files: Record<string, string>, tag: string, reason: RegExp][] = [
    [{}, 'v1.2.1', /the tag is "v1\.2\.1", package\.json says 1\.2\.0/],
    [{}, '', /the tag is ""/],
    [{ 'package-lock.json': JSON.stringify({ version: '1.1.0' }) }, 'v1.2.0', /package-lock\.json says 1\.1\.0/],
    [{ 'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.0 - 2027-01-31\n' }, 'v1.2.0', /begins with "Unreleased"/],
    [{ 'CHANGELOG.md': '# Changelog\n\n## 1.2.0\n' }, 'v1.2.0', /not with "1\.2\.0 - " and a date/],
    [{ 'docs/openapi.released.json': '{"old":1}' }, 'v1.2.0', /openapi\.released\.json is not/],
  ]
  for (const [files, tag, reason] of table) await t.rejects(notes(files, tag), { code: 1, stdout: '', stderr: reason })
})
