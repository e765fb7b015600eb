import t from 'tap'
import { tagKey, tagKeys, tagLabel } from '../../readmodels/tags/tag-key.js'

const KEYS: [typed: string, key: string][] = [
  ['calm', 'calm'],
  ['Calm', 'calm'],
  ['#calm', 'calm'],
  ['##Calm', 'calm'],
  ['# calm', 'calm'],
  ['# # calm', 'calm'],
  ['  calm\t', 'calm'],
  ['Habit Tracking', 'habit-tracking'],
  ['habit_tracking', 'habit-tracking'],
  ['habit - tracking', 'habit-tracking'],
  ['habit\u00a0\u3000tracking', 'habit-tracking'],
  ['-calm-', 'calm'],
  ['C#', 'c#'],
  ['a|b', 'a|b'],
  ['Ｆｕｌｌ', 'full'],
  ['ﬁt', 'fit'],
  ['Café', 'café'],
  ['Cafe\u0301', 'café'],
  ['ÜBUNG', 'übung'],
  ['日本語', '日本語'],
  ['ｶﾒﾗ', 'カメラ'],
  ['#', ''],
  ['___', ''],
  [' - ', ''],
  ['', ''],
]

t.test('the same tag however it is typed', async (t) => {
  for (const [typed, key] of KEYS) t.equal(tagKey(typed), key, JSON.stringify(typed))
})

t.test('the key of a key is itself, for every character there is', async (t) => {
  for (const [typed] of KEYS) t.equal(tagKey(tagKey(typed)), tagKey(typed), JSON.stringify(typed))
  const odd: string[] = []
  for (let code = 0; code < 0x11_0000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const typed = `x${String.fromCodePoint(code)}Y`
    if (tagKey(tagKey(typed)) !== tagKey(typed)) odd.push(typed)
  }
  t.strictSame(odd, [])
})

t.test('distinct keys in the order given, without empty ones', async (t) => {
  t.strictSame(tagKeys(['b', '#B', 'a', '', '#', 'A ']), ['b', 'a'])
})

t.test('labels come from the key alone', async (t) => {
  t.equal(tagLabel('habit-tracking-app'), 'habit tracking app')
  t.equal(tagLabel(tagKey('#Habit  Tracking')), tagLabel(tagKey('habit_tracking')))
})
