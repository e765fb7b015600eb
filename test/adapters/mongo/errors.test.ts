import { MongoDriverError, MongoNetworkError, MongoServerError } from 'mongodb'
import t from 'tap'
import { answered, translateErrors } from '../../../src/adapters/mongo/errors.js'
import { StoreUnavailableError } from '../../../src/ports/document-store.js'

const failing = (error: Error) => translateErrors(() => Promise.reject(error))
const named = (name: string) => Object.defineProperty(new MongoDriverError(name), 'name', { value: name })

t.test('errors of the server or the network count as temporary', async (t) => {
  const codes = [6, 7, 43, 134, 202, 10107, 11601, 11602, 13436, 239, 246]
  const away = [
    ...codes.map((code) => new MongoServerError({ message: `code ${code}`, code })),
    new MongoNetworkError('cut'),
    named('MongoPoolClosedError'),
    named('MongoWaitQueueTimeoutError'),
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
  ]
  for (const error of away) await t.rejects(failing(error), StoreUnavailableError, error.message)
})

t.test('errors of our own commands do not', async (t) => {
  for (const error of [
    new MongoServerError({ message: 'bad query', code: 2 }),
    new MongoDriverError('misuse'),
    new TypeError('ours'),
    Object.assign(new Error('no file'), { code: 'ENOENT' }),
  ])
    await t.rejects(failing(error), error)
})

t.test('a call that is never answered is given up, and the writer tries again', async (t) => {
  await t.rejects(answered(new Promise(() => {}), 1), StoreUnavailableError)
  t.equal(await answered(Promise.resolve('in time'), 1000), 'in time')
  await t.rejects(answered(Promise.reject(new TypeError('ours')), 1000), TypeError)
})
