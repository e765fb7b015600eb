import { texts } from './table.js'

/** How a title reads after its maker edited it; `{t}` is the title before. */
export const REVISIONS = texts(`
en {t} Plus
es {t} Plus
de {t} Plus
ja {t}プラス

en {t}, Second Edition
es {t}, segunda edición
de {t}, zweite Auflage
ja {t} 第2版

en The New {t}
es Nuevo: {t}
de Neu: {t}
ja 新・{t}

en {t}, Reworked
es {t}, renovado
de {t}, überarbeitet
ja {t} 改
`)
