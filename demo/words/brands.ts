import { lines } from './table.js'

/** Invented names that makers put before what their thing is; the same in every language, as names are. */
export const BRANDS: readonly string[] = lines(`
  Kumo Lumo Tidely Mossa Fennic Brisa Nuvola Pomelo Quillo Oriel Tansy Velum Sorrel Kite Wren Juno Marlo Pebbl Nook Lark
  Komorebi Fika Saudade Tupelo Zephyra Hatchly Mellow Tinderbox Copper Inkwell Driftly Hygge Luma Paloma Taro Yuzu Bramble
  Cobalt Dapple Ember Figment Gossamer Hazel Indigo Jetsam Kestrel Lantana Mica Nimbus Osprey Pippin Quince Rusk Saffron Thimble
  Umbra Vesper Willow Yarrow Zinnia Almo Birka Casita Dovetail Elmo Farolito Glimmer Havn Isla Jolly Kaboom Limbo Mirador Nordlys
  Okapi Piccolo Quokka Rondo Sirocco Tombola Ursa Vento Wobble Xylo Yonder Zigzag Abacus Bonfire Cricket Dandelion
`).flatMap((line) => line.split(' '))
