import t from 'tap'
import { forgetRemembered, remembered } from '../../src/lib/remembered.js'

t.test('a function that remembers works a text out once, up to a bound, until it is told to forget', async (t) => {
  const computed: string[] = []
  const letters = remembered(6, (text) => {
    computed.push(text)
    return [...text]
  })
  const asks = (text: string, times: number) => {
    const before = computed.length
    t.strictSame(letters(text), [...text])
    t.equal(computed.length - before, times, text)
  }
  asks('one', 1)
  asks('two', 1)
  asks('one', 0)
  asks('six', 1)
  asks('one', 1)
  asks('six', 0)
  forgetRemembered()
  asks('six', 1)
  asks('too long', 1)
  asks('too long', 1)
})
