import type { Test } from 'tap'
import { projections } from '../support/built-in-models.js'
import type { Told } from './events.js'
import { Script } from './script.js'
import { type Dump, World } from './world.js'

/** All projections over one log. */
export class Community {
  readonly #script: Script
  readonly #worlds: readonly World[]

  static async open(t: Pick<Test, 'teardown'>): Promise<Community> {
    const script = new Script()
    return new Community(script, await Promise.all(projections.map((projection) => World.open(t, projection, { script }))))
  }

  private constructor(script: Script, worlds: readonly World[]) {
    this.#script = script
    this.#worlds = worlds
  }

  async tell(...told: readonly Told[]): Promise<void> {
    const records = this.#script.write(...told)
    for (const world of this.#worlds) await world.deliver(records)
  }

  /** By projection. */
  async dump(): Promise<Record<string, Dump>> {
    const dumps: Record<string, Dump> = {}
    for (const world of this.#worlds) dumps[world.projection.name] = await world.dump()
    return dumps
  }

  world(projection: string): World {
    const found = this.#worlds.find((world) => world.projection.name === projection)
    if (found === undefined) throw new Error(`there is no projection ${projection}`)
    return found
  }
}
