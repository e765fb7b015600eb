import { texts } from './table.js'

/** Last sentences that fit anything somebody made for themselves first. */
export const CLOSERS = texts(`
en Works offline, keeps your data on your phone.
es Funciona sin conexión y tus datos se quedan en el móvil.
de Läuft offline, die Daten bleiben auf dem Handy.
ja オフラインで動き、データは端末の中だけに残ります。

en I made it for my sister; now the whole family uses it.
es Lo hice para mi hermana y ahora lo usa toda la familia.
de Gebaut für meine Schwester, inzwischen nutzt es die ganze Familie.
ja 姉のために作ったら、今では家族みんなが使っています。

en No account, no ads, no hurry.
es Sin cuenta, sin anuncios, sin prisas.
de Kein Konto, keine Werbung, keine Eile.
ja 登録なし、広告なし、急かされることもありません。

en Built in one evening and polished ever since.
es Hecho en una tarde y pulido desde entonces.
de An einem Abend gebaut und seitdem immer weiter verfeinert.
ja 一晩で作って、それから少しずつ磨いています。

en Suggestions are welcome, remixes even more.
es Se agradecen las sugerencias, y los remixes aún más.
de Vorschläge sind willkommen, Remixe noch mehr.
ja ご意見歓迎、リミックスはもっと歓迎です。

en Best enjoyed with a cup of tea.
es Se disfruta mejor con una taza de té.
de Am schönsten mit einer Tasse Tee.
ja お茶を片手にどうぞ。

en Large type and a dark mode are included.
es Incluye letra grande y modo oscuro.
de Große Schrift und Dunkelmodus sind dabei.
ja 大きな文字とダークモードに対応しています。

en My first one, so be kind.
es Es mi primera creación: sé amable.
de Mein erstes Werk, also seid nett.
ja はじめての作品なので、お手やわらかに。

en Sharing works with a single link.
es Se comparte con un solo enlace.
de Teilen geht mit einem einzigen Link.
ja リンクひとつで共有できます。

en Tested by my neighbours and their very critical children.
es Probado por mis vecinos y sus muy críticos hijos.
de Getestet von den Nachbarn und ihren sehr kritischen Kindern.
ja ご近所さんと、とても厳しい子どもたちがテスト済みです。

en The colours follow the season.
es Los colores siguen la estación del año.
de Die Farben richten sich nach der Jahreszeit.
ja 季節に合わせて色が変わります。

en I use it every single day.
es Lo uso todos los días.
de Ich benutze es jeden einzelnen Tag.
ja わたしも毎日使っています。
`)

/** What players want to know. */
export const GAME_DETAILS = texts(`
en The first levels are easy; the last one has been solved twice.
es Los primeros niveles son fáciles; el último solo se ha resuelto dos veces.
de Die ersten Level sind leicht; das letzte wurde erst zweimal geschafft.
ja はじめは簡単。最後のステージを解けたのはまだふたりだけです。

en A round takes two minutes, which is exactly one tram stop.
es Una partida dura dos minutos, justo lo que tarda el tranvía.
de Eine Runde dauert zwei Minuten, also genau eine Haltestelle.
ja 1回2分。ちょうど電車ひと駅分です。

en My record is embarrassing; please beat it.
es Mi récord da vergüenza: supéralo, por favor.
de Mein Rekord ist peinlich; bitte überbieten.
ja 作者の記録は恥ずかしいほど低いので、ぜひ抜いてください。

en The leaderboard is friendly, so far.
es La clasificación es amistosa, de momento.
de Die Rangliste ist freundlich, bisher jedenfalls.
ja ランキングは、今のところ和やかです。

en Needs only one thumb.
es Basta con un pulgar.
de Ein Daumen genügt.
ja 親指ひとつで遊べます。
`)

/** What visitors want to know. */
export const EXPERIENCE_DETAILS = texts(`
en Takes about eleven minutes.
es Dura unos once minutos.
de Dauert ungefähr elf Minuten.
ja 所要時間はおよそ11分です。

en It ends on its own, so that you do not have to decide.
es Termina por sí sola, para que no tengas que decidir.
de Endet von selbst, damit du nichts entscheiden musst.
ja 自然に終わるので、やめどきを考えなくて大丈夫です。

en Best after dark.
es Mejor de noche.
de Am besten nach Einbruch der Dunkelheit.
ja 暗くなってからがおすすめです。

en Every visit is a little different.
es Cada visita es un poco distinta.
de Jeder Besuch verläuft ein wenig anders.
ja 訪れるたびに少しずつ変わります。

en There is nothing to win and nothing to do wrong.
es No hay nada que ganar ni nada que hacer mal.
de Es gibt nichts zu gewinnen und nichts falsch zu machen.
ja 勝ち負けも、間違いもありません。
`)
