import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder on its own disk, small enough to be filled; an ordinary folder where mounting is not allowed. */
export class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), 'vitrine-chaos-'))
  readonly isSmall: boolean

  constructor(megabytes = 256) {
    // Also when the test is stopped in the middle.
    process.once('exit', () => this.remove())
    this.isSmall = quietly('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.path)
  }

  /** Fills the disk to the last byte. Returns a function that makes room again. */
  async fill(): Promise<() => void> {
    const path = join(this.path, 'filler')
    const file = await open(path, 'w')
    const block = Buffer.alloc(1024 * 1024)
    // Smaller and smaller blocks, until not even one byte fits.
    for (let size = block.length; size >= 1; ) {
      try {
        await file.write(block, 0, size)
      } catch {
        size = Math.floor(size / 2)
      }
    }
    await file.close()
    return () => rmSync(path)
  }

  remove(): void {
    if (this.isSmall) quietly('umount', '--lazy', this.path)
    rmSync(this.path, { recursive: true, force: true })
  }
}

function quietly(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
