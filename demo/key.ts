import { mix } from './random.js'

/** The number that a picture's key stands for, from which all of the picture follows. */
export function seedOf(key: string): number {
  let number = key.length
  for (let index = 0; index < key.length; index++) number = mix(number, key.charCodeAt(index))
  return number
}
