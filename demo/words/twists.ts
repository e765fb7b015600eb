import { phrases } from './table.js'

/** What a remix changes: the words after its title, and a sentence. */
export const TWISTS = phrases(`
en Night Edition | This remix is dark, slow and easy on tired eyes.
es Edición nocturna | Este remix es oscuro, lento y amable con los ojos cansados.
de Nachtausgabe | Dieser Remix ist dunkel, langsam und schont müde Augen.
ja 夜版 | 暗めでゆったり、疲れた目にやさしいリミックスです。

en For Two | Remixed so that two people can share it.
es Para dos | Remezclado para compartirlo entre dos.
de Zu zweit | Umgebaut, damit zwei Menschen es teilen können.
ja ふたり用 | ふたりで使えるようにリミックスしました。

en Winter Edition | The same idea with snow, wool socks and early evenings.
es Edición de invierno | La misma idea con nieve, calcetines de lana y tardes cortas.
de Winterausgabe | Dieselbe Idee mit Schnee, Wollsocken und frühen Abenden.
ja 冬版 | 雪と毛糸の靴下と早い夕暮れを足しました。

en Summer Edition | Brighter colours, longer days, less to do.
es Edición de verano | Colores más vivos, días más largos, menos tareas.
de Sommerausgabe | Hellere Farben, längere Tage, weniger zu tun.
ja 夏版 | 色は明るく、日は長く、やることは少なめに。

en Large Print | Bigger letters and bigger buttons, made for my grandmother.
es Letra grande | Letras y botones más grandes, hecho para mi abuela.
de Große Schrift | Größere Buchstaben und Knöpfe, gemacht für meine Oma.
ja 大きな文字 | 祖母のために文字もボタンも大きくしました。

en For Kids | Fewer words, more pictures, and nothing that can be broken.
es Para peques | Menos palabras, más dibujos y nada que se pueda romper.
de Für Kinder | Weniger Worte, mehr Bilder und nichts, was kaputtgehen kann.
ja こども版 | 言葉を減らして絵を増やし、壊れるものをなくしました。

en Pocket Edition | Stripped down to the one screen that I really use.
es Edición de bolsillo | Reducido a la única pantalla que uso de verdad.
de Taschenausgabe | Auf den einen Bildschirm reduziert, den ich wirklich brauche.
ja ポケット版 | 本当に使う1画面だけに絞りました。

en Family Edition | Now with a profile for everybody at the table.
es Edición familiar | Ahora con un perfil para cada miembro de la familia.
de Familienausgabe | Jetzt mit einem Profil für alle am Tisch.
ja 家族版 | 家族ひとりひとりのプロフィールを足しました。

en With Sound | I added sounds; the original was a little too quiet for me.
es Con sonido | Añadí sonidos: el original me parecía demasiado callado.
de Mit Ton | Mit Klängen ergänzt; das Original war mir etwas zu still.
ja 音つき | 元の作品が静かだったので、音を足しました。

en Slow Version | Everything takes twice as long, on purpose.
es Versión lenta | Todo tarda el doble, a propósito.
de Langsame Version | Alles dauert doppelt so lange, mit Absicht.
ja スロー版 | わざと、すべてが倍の時間かかります。

en Hard Mode | For those who found the original too gentle.
es Modo difícil | Para quienes encontraron el original demasiado suave.
de Schwerer Modus | Für alle, denen das Original zu sanft war.
ja ハードモード | 元の作品ではもの足りない人へ。

en With Cats | The same, but with cats. You are welcome.
es Con gatos | Lo mismo, pero con gatos. De nada.
de Mit Katzen | Dasselbe, aber mit Katzen. Gern geschehen.
ja 猫つき | 同じものに猫を足しました。どういたしまして。

en Paper Look | Redrawn by hand with ink on cheap paper.
es Estilo papel | Redibujado a mano con tinta sobre papel barato.
de Papier-Look | Von Hand neu gezeichnet, mit Tinte auf billigem Papier.
ja 紙の質感 | 安い紙にインクで、手描きし直しました。

en Left-Handed | All controls moved to the left, finally.
es Para zurdos | Todos los controles a la izquierda, por fin.
de Für Linkshänder | Endlich alle Knöpfe auf der linken Seite.
ja 左きき用 | ついに、操作をすべて左側に移しました。

en Minimal | I took away everything that could be taken away.
es Minimalista | Quité todo lo que se podía quitar.
de Minimal | Alles weggelassen, was sich weglassen ließ.
ja ミニマル | 削れるものは全部削りました。

en For Classrooms | Thirty players, one projector, no log-in.
es Para el aula | Treinta personas, un proyector, sin registro.
de Fürs Klassenzimmer | Dreißig Kinder, ein Beamer, keine Anmeldung.
ja 教室用 | 30人、プロジェクター1台、ログイン不要。

en Retro | Four colours, square pixels and a cheerful beep.
es Retro | Cuatro colores, píxeles cuadrados y un pitido alegre.
de Retro | Vier Farben, eckige Pixel und ein fröhliches Piepen.
ja レトロ | 4色と四角いドット、そして陽気な電子音。

en With Friends | Adds a small circle of friends who can see and cheer.
es Con amigos | Añade un pequeño círculo de amigos que te animan.
de Mit Freunden | Dazu kommt ein kleiner Freundeskreis, der zuschaut und jubelt.
ja ともだちと | 見守って応援してくれる小さな仲間の輪を足しました。

en Five-Minute Version | Cut down to what fits in a coffee break.
es Versión de cinco minutos | Recortado a lo que cabe en una pausa para el café.
de Fünf-Minuten-Version | Gekürzt auf das, was in eine Kaffeepause passt.
ja 5分版 | コーヒー休憩におさまる長さに縮めました。

en Screen-Reader Friendly | Every picture has words now, and every button a name.
es Para lector de pantalla | Ahora cada imagen tiene texto y cada botón un nombre.
de Vorlesefreundlich | Jedes Bild hat jetzt Worte und jeder Knopf einen Namen.
ja 読み上げ対応 | すべての画像に説明を、すべてのボタンに名前をつけました。

en High Contrast | Black, white and one strong yellow.
es Alto contraste | Negro, blanco y un amarillo intenso.
de Hoher Kontrast | Schwarz, Weiß und ein kräftiges Gelb.
ja ハイコントラスト | 黒と白、そして強い黄色だけ。

en Director's Cut | With three scenes and one button that did not fit before.
es Versión extendida | Con tres escenas y un botón que antes no cabían.
de Lange Fassung | Mit drei Szenen und einem Knopf, die vorher nicht hineinpassten.
ja 完全版 | 入りきらなかった3つの場面とボタンをひとつ足しました。

en Unofficial Sequel | Picks up where the original left off.
es Secuela no oficial | Sigue donde lo dejó el original.
de Inoffizielle Fortsetzung | Macht dort weiter, wo das Original aufhörte.
ja 非公式の続編 | 元の作品が終わったところから始まります。

en Plain Words | The same thing in short, simple sentences.
es Lectura fácil | Lo mismo, en frases cortas y sencillas.
de Einfache Sprache | Dasselbe in kurzen, leichten Sätzen.
ja やさしい言葉 | 短くてやさしい文に書き直しました。
`)
