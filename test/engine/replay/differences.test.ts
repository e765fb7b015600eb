import t from 'tap'
import { differences } from '../../../src/engine/replay/compare-documents.js'

await t.test('nothing differs', async (t) => {
  for (const value of [null, 0, '', [], {}, { a: [1, { b: null }] }]) t.strictSame(differences(value, structuredClone(value)), [])
  t.strictSame(differences({ a: 1, b: 2 }, { b: 2, a: 1 }), [], 'the order of keys says nothing')
})

await t.test('each leaf that differs, by its path', async (t) => {
  t.strictSame(differences({ a: { b: [1, 2] } }, { a: { b: [1, 3, 4] } }), [
    { path: 'a.b[1]', left: 2, right: 3 },
    { path: 'a.b[2]', left: undefined, right: 4 },
  ])
  t.strictSame(differences({ a: null }, { a: {} }), [{ path: 'a', left: null, right: {} }])
  t.strictSame(differences([], {}), [{ path: '', left: [], right: {} }])
  t.strictSame(differences(undefined, { a: 1 }), [{ path: '', left: undefined, right: { a: 1 } }])
  t.strictSame(differences(0, -0), [{ path: '', left: 0, right: -0 }])
})

await t.test('a field named like something every object has', async (t) => {
  t.strictSame(differences({}, { constructor: 1 }), [{ path: 'constructor', left: undefined, right: 1 }])
  const odd = JSON.parse('{"__proto__":{"a":1}}')
  t.strictSame(differences(odd, JSON.parse('{"__proto__":{"a":2}}')), [{ path: '__proto__.a', left: 1, right: 2 }])
})
