import { KINDS, type Kind } from '../../src/events/index.js'
import { type ByLanguage, texts } from './table.js'

/** A shelf of the gallery: its name, what fits on it, and sentences that suit everything there. */
export interface Category {
  slug: string
  label: ByLanguage<string>
  kinds: readonly Kind[]
  details: readonly ByLanguage<string>[]
}

const EVERYTHING = KINDS
const USEFUL: readonly Kind[] = ['app', 'tracker', 'widget', 'game']

export const CATEGORIES: readonly Category[] = [
  category(
    'games',
    ['game', 'widget'],
    `
    en Games & Puzzles
    es Juegos y pasatiempos
    de Spiele & Rätsel
    ja ゲーム・パズル

    en The characters wave when you tap them.
    es Los personajes saludan si los tocas.
    de Wer die Figuren antippt, wird gegrüßt.
    ja キャラクターをタップすると手を振ってくれます。

    en It costs no battery worth mentioning.
    es Apenas gasta batería.
    de Verbraucht kaum Akku.
    ja 電池はほとんど使いません。
  `,
  ),
  category(
    'food',
    EVERYTHING,
    `
    en Food & Drink
    es Comida y bebida
    de Essen & Trinken
    ja 料理・飲みもの

    en It knows about allergies and never nags.
    es Tiene en cuenta las alergias y nunca insiste.
    de Kennt Allergien und nörgelt nie.
    ja アレルギーにも対応、うるさい通知はありません。

    en Thought up in a very small kitchen.
    es Ideado en una cocina muy pequeña.
    de Ausgedacht in einer sehr kleinen Küche.
    ja とても小さな台所で思いつきました。
  `,
  ),
  category(
    'garden',
    EVERYTHING,
    `
    en Garden & Nature
    es Jardín y naturaleza
    de Garten & Natur
    ja 園芸・自然

    en It knows the last frost of your region.
    es Conoce la última helada de tu zona.
    de Der letzte Frost deiner Gegend ist eingerechnet.
    ja お住まいの地域の終霜も考慮しています。

    en Made on a balcony that faces north.
    es Hecho en un balcón orientado al norte.
    de Entstanden auf einem Balkon nach Norden.
    ja 北向きのベランダで作りました。
  `,
  ),
  category(
    'fitness',
    USEFUL,
    `
    en Sport & Movement
    es Deporte y movimiento
    de Sport & Bewegung
    ja スポーツ・運動

    en Rest days count too.
    es Los días de descanso también cuentan.
    de Ruhetage zählen auch.
    ja 休む日もちゃんと数えます。

    en Nobody sees your numbers but you.
    es Nadie ve tus números salvo tú.
    de Deine Zahlen siehst nur du.
    ja 記録が見えるのはあなただけです。
  `,
  ),
  category(
    'music',
    EVERYTHING,
    `
    en Music & Sound
    es Música y sonido
    de Musik & Klang
    ja 音楽・音

    en All sounds were recorded by hand.
    es Todos los sonidos están grabados a mano.
    de Alle Klänge sind selbst aufgenommen.
    ja 音はすべて自分で録音しました。

    en Headphones recommended, neighbours appreciated.
    es Se recomiendan auriculares; los vecinos lo agradecen.
    de Kopfhörer empfohlen, die Nachbarn danken.
    ja ヘッドホン推奨。ご近所にもやさしい。
  `,
  ),
  category(
    'art',
    EVERYTHING,
    `
    en Art & Craft
    es Arte y manualidades
    de Kunst & Handwerk
    ja アート・手仕事

    en Every picture in it was drawn on paper first.
    es Cada dibujo nació primero en papel.
    de Jedes Bild entstand zuerst auf Papier.
    ja どの絵も、まず紙に描きました。

    en Export what you make as a print or a sticker.
    es Exporta lo que hagas como lámina o pegatina.
    de Was du machst, lässt sich als Druck oder Sticker sichern.
    ja できたものはプリントやステッカーとして書き出せます。
  `,
  ),
  category(
    'learning',
    USEFUL,
    `
    en Learning & Science
    es Aprender y ciencia
    de Lernen & Wissen
    ja 学び・科学

    en Mistakes come back tomorrow, politely.
    es Los errores vuelven mañana, con educación.
    de Fehler kommen morgen höflich wieder.
    ja 間違えたところは、翌日そっと出題されます。

    en Used in a classroom of nine-year-olds.
    es Se usa en una clase de niños de nueve años.
    de Im Einsatz in einer vierten Klasse.
    ja 小学4年生の教室で使われています。
  `,
  ),
  category(
    'travel',
    EVERYTHING,
    `
    en Travel & Places
    es Viajes y lugares
    de Reisen & Orte
    ja 旅・場所

    en It still works where there is no signal.
    es Sigue funcionando donde no hay cobertura.
    de Klappt auch dort, wo es kein Netz gibt.
    ja 電波の届かない場所でも使えます。

    en Tested on a journey of three weeks with one small bag.
    es Probado en un viaje de tres semanas con una sola bolsa.
    de Auf einer dreiwöchigen Reise mit nur einer Tasche getestet.
    ja 小さな鞄ひとつ、3週間の旅で試しました。
  `,
  ),
  category(
    'home',
    USEFUL,
    `
    en Home & Family
    es Hogar y familia
    de Zuhause & Familie
    ja 家・家族

    en Shared with everybody who has a key to the flat.
    es Se comparte con quien tenga llave de casa.
    de Geteilt mit allen, die einen Wohnungsschlüssel haben.
    ja 家の鍵を持っている人みんなで共有できます。

    en It has already ended two arguments.
    es Ya ha resuelto dos discusiones.
    de Hat schon zwei Streitereien beendet.
    ja すでに2回、家族げんかを止めました。
  `,
  ),
  category(
    'work',
    USEFUL,
    `
    en Work & Money
    es Trabajo y dinero
    de Arbeit & Geld
    ja 仕事・お金

    en It goes silent at six in the evening.
    es A las seis de la tarde se calla.
    de Ab achtzehn Uhr herrscht Ruhe.
    ja 夕方6時になると静かになります。

    en Exports a clean table for whoever asks for one.
    es Exporta una tabla limpia para quien la pida.
    de Auf Wunsch gibt es eine saubere Tabelle dazu.
    ja 必要なときは、きれいな表に書き出せます。
  `,
  ),
  category(
    'sky',
    EVERYTHING,
    `
    en Sky & Weather
    es Cielo y tiempo
    de Himmel & Wetter
    ja 空・天気

    en Look up first, then at the screen.
    es Primero mira al cielo y luego a la pantalla.
    de Erst nach oben schauen, dann aufs Handy.
    ja まず空を見て、それから画面をどうぞ。

    en It knows where you are and forgets it right away.
    es Sabe dónde estás y lo olvida enseguida.
    de Dein Standort wird gelesen und sofort wieder vergessen.
    ja 現在地は使ったらすぐに忘れます。
  `,
  ),
  category(
    'pets',
    EVERYTHING,
    `
    en Pets & Animals
    es Mascotas y animales
    de Haustiere & Tiere
    ja ペット・動物

    en Approved by a very old cat.
    es Aprobado por una gata muy mayor.
    de Von einer sehr alten Katze abgenommen.
    ja とても年をとった猫のお墨つきです。

    en Photos of yours are always welcome.
    es Las fotos de los tuyos son bienvenidas.
    de Fotos von euren Lieblingen sind willkommen.
    ja みなさんの子の写真も大歓迎です。
  `,
  ),
  category(
    'stories',
    EVERYTHING,
    `
    en Books & Stories
    es Libros e historias
    de Bücher & Geschichten
    ja 本・物語

    en The shelf is open: add a line of your own.
    es El estante está abierto: añade una línea tuya.
    de Das Regal ist offen: Stell eine eigene Zeile dazu.
    ja 棚は開いています。あなたの一行も加えてください。

    en Nothing to read aloud? There is a voice for that.
    es ¿No te apetece leer? Hay una voz para eso.
    de Keine Lust zu lesen? Dann liest eine Stimme vor.
    ja 読むのが大変なときは、朗読の声があります。
  `,
  ),
  category(
    'calm',
    ['experience', 'tracker', 'widget', 'app'],
    `
    en Calm & Wellbeing
    es Calma y bienestar
    de Ruhe & Wohlbefinden
    ja くつろぎ・心の健康

    en There is nothing to win here.
    es Aquí no hay nada que ganar.
    de Hier gibt es nichts zu gewinnen.
    ja ここには勝ち負けがありません。

    en A missed day is just a day.
    es Un día sin usarlo es solo un día.
    de Ein verpasster Tag ist nur ein Tag.
    ja 使わない日があっても大丈夫です。
  `,
  ),
]

/** The first block is the label, the others are details. */
function category(slug: string, kinds: readonly Kind[], table: string): Category {
  const [label, ...details] = texts(table)
  if (label === undefined) throw new Error(`no label for ${slug}`)
  return { slug, label, kinds, details }
}
