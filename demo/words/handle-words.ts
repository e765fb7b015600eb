import { lines } from './table.js'

const words = (table: string): string[] => lines(table).flatMap((line) => line.split(' '))

/** After a given name: maya-bakes. */
export const DOINGS = words(`
  bakes builds codes draws grows knits paints plays reads rides roams runs sings tinkers travels walks writes makes sails cooks
  designs dreams gardens hikes sketches ferments stitches surfs teaches wonders counts folds brews climbs
`)

/** Before a given name: studio-maya. */
export const STUDIOS = words('studio casa little captain atelier made-by dear team hey maestro doctor sailor')

/** After a family name: okafor-labs. */
export const HOUSES = words('labs works apps studio ideas workshop projects garage press kitchen garden tools family atelier')

/** Two words that belong to nobody: quiet-otter. */
export const MOODS = words(`
  quiet sunny salty rusty velvet mellow brave tiny lucky dusty golden lazy crooked silver foggy nimble spicy honest wandering sleepy
  curious electric paper wooden cosmic northern humble minty stormy gentle
`)
export const CREATURES = words(`
  otter heron fox badger lynx sparrow gecko walrus moth puffin yak beetle marten ibis newt hare magpie dolphin tapir stoat lantern
  teapot compass acorn comet pebble kettle lighthouse accordion bicycle
`)

/** Before an old handle, when somebody picks a new one. */
export const GREETINGS = words('its ask hello by the-real simply')
