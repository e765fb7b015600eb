import type { Test } from 'tap'
import { coordinationContract } from './coordination.js'
import { generationsContract } from './generations.js'
import type { DocumentStoreSubject } from './library-model.js'
import { modelsContract } from './models.js'

/** What every document store promises: the contracts of its three ports. */
export async function documentStoreContract(t: Test, subject: DocumentStoreSubject): Promise<void> {
  await t.test(`${subject.name} as document store`, async (t) => {
    await t.test('models', (t) => modelsContract(t, subject))
    await t.test('generations', (t) => generationsContract(t, subject))
    await t.test('coordination', (t) => coordinationContract(t, subject))
  })
}
