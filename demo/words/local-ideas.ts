import type { Kind } from '../../src/events/index.js'
import { type ByLanguage, type Phrase, phrases } from './table.js'

/** Things people make for the place they live in; `{p}` is the place. */
export interface LocalIdea {
  category: string
  kind: Kind
  byTheSea: boolean
  phrase: ByLanguage<Phrase>
}

const sea = true
const town = false

/** In the order of the phrases below. */
const SETTINGS: [category: string, kind: Kind, byTheSea: boolean][] = [
  ['sky', 'widget', sea],
  ['travel', 'app', sea],
  ['fitness', 'tracker', sea],
  ['calm', 'experience', sea],
  ['pets', 'app', sea],
  ['stories', 'experience', sea],
  ['garden', 'tracker', town],
  ['food', 'app', town],
  ['travel', 'widget', town],
  ['art', 'app', town],
  ['music', 'experience', town],
  ['home', 'widget', town],
  ['work', 'app', town],
  ['learning', 'game', town],
  ['games', 'game', town],
  ['pets', 'tracker', town],
  ['sky', 'app', town],
  ['food', 'game', town],
  ['stories', 'app', town],
  ['fitness', 'app', town],
]

const PHRASES = phrases(`
en Tide Clock for {p} | High water, low water and the hours between, as seen from the harbour wall in {p}.
es Reloj de mareas de {p} | Pleamar, bajamar y las horas intermedias, vistas desde el puerto de {p}.
de Gezeitenuhr für {p} | Hochwasser, Niedrigwasser und die Stunden dazwischen, von der Hafenmauer in {p} aus gesehen.
ja {p}の潮時計 | {p}の港から見た満潮と干潮、そのあいだの時間を表示します。

en Ferries of {p} | Which boat, which pier and whether it is worth running: ferry times for {p}.
es Barcos de {p} | Qué barco, qué muelle y si merece la pena correr: horarios de ferri en {p}.
de Fähren in {p} | Welches Schiff, welcher Anleger und ob sich das Rennen lohnt: Fährzeiten für {p}.
ja {p}のフェリー時刻 | どの船、どの桟橋、走れば間に合うか。{p}のフェリー案内です。

en Cold Swims in {p} | Log every dip in {p}: water temperature, minutes, and how loud you screamed.
es Baños fríos en {p} | Apunta cada chapuzón en {p}: temperatura, minutos y lo fuerte que gritaste.
de Kaltbaden in {p} | Jedes Bad in {p} festhalten: Wassertemperatur, Minuten und wie laut du geschrien hast.
ja {p}の寒中水泳記録 | {p}での水浴びを記録。水温と時間、そしてどれだけ叫んだか。

en Listening to the Sea in {p} | Recorded on one windless evening in {p}. Bring headphones.
es Escuchar el mar en {p} | Grabado una tarde sin viento en {p}. Mejor con auriculares.
de Dem Meer lauschen in {p} | An einem windstillen Abend in {p} aufgenommen. Am besten mit Kopfhörern.
ja {p}の海を聴く | 風のない夕方に{p}で録音しました。ヘッドホンがおすすめです。

en Dog Beaches around {p} | Where dogs may run in {p}, when, and who else will be there.
es Playas para perros en {p} | Dónde pueden correr los perros en {p}, a qué hora y con quién.
de Hundestrände um {p} | Wo Hunde in {p} laufen dürfen, wann, und wer sonst noch da ist.
ja {p}の犬と行けるビーチ | {p}で犬が走れる浜辺と時間帯、そして今日いる仲間がわかります。

en Harbour Tales of {p} | Seven people from the harbour of {p} tell you about one night each.
es Historias del puerto de {p} | Siete personas del puerto de {p} te cuentan una noche cada una.
de Hafengeschichten aus {p} | Sieben Menschen vom Hafen in {p} erzählen von je einer Nacht.
ja {p}港ものがたり | {p}の港で暮らす7人が、それぞれの一夜を語ります。

en First Blossoms of {p} | Who saw the first blossom? A shared record for every street in {p}.
es Primeras flores de {p} | ¿Quién vio la primera flor? Un registro compartido, calle a calle, de {p}.
de Erste Blüten in {p} | Wer hat die erste Blüte gesehen? Ein gemeinsames Protokoll, Straße für Straße, für {p}.
ja {p}の初花だより | 最初の花を見つけたのは誰？{p}の通りごとにみんなで記録します。

en Lunch under Ten in {p} | Honest lunches in {p} that leave change in your pocket.
es Comer barato en {p} | Menús honrados en {p} que te dejan monedas en el bolsillo.
de Mittagstisch in {p} | Ehrliche Mittagessen in {p}, nach denen noch Kleingeld übrig ist.
ja {p}のお手頃ランチ | おつりが残る、{p}の気取らない昼ごはんを集めました。

en Next Tram in {p} | The next three trams from your stop in {p}, and nothing else.
es Próximo tranvía en {p} | Los tres próximos tranvías de tu parada en {p}, y nada más.
de Nächste Bahn in {p} | Die nächsten drei Bahnen ab deiner Haltestelle in {p}, sonst nichts.
ja {p}の次の電車 | {p}の最寄り停留所から次の3本だけを表示します。

en Murals of {p} | A walking map of painted walls in {p}, with the names of those who painted them.
es Muros pintados de {p} | Un mapa para recorrer a pie los muros pintados de {p}, con sus autores.
de Bemalte Wände in {p} | Eine Karte bemalter Wände in {p}, mit den Namen derer, die sie gemalt haben.
ja {p}の壁画さんぽ | {p}の壁画を作者の名前とともに歩いてめぐる地図です。

en Street Sounds of {p} | Markets, bells and rain on tin roofs: ten recordings from {p}.
es Sonidos de {p} | Mercados, campanas y lluvia sobre chapa: diez grabaciones de {p}.
de Straßenklänge aus {p} | Märkte, Glocken und Regen auf Blech: zehn Aufnahmen aus {p}.
ja {p}の街の音 | 市場、鐘、トタン屋根の雨。{p}で録った10の音です。

en Bin Day in {p} | Which bin goes out tonight in {p}? One colour, one glance.
es Día de basura en {p} | ¿Qué contenedor toca esta noche en {p}? Un color, un vistazo.
de Müllabfuhr in {p} | Welche Tonne muss heute Abend in {p} raus? Eine Farbe, ein Blick.
ja {p}のごみの日 | 今夜出すのはどのごみ？{p}の収集日が色でわかります。

en Quiet Desks in {p} | Cafés and libraries in {p} with a socket, a window and no speakerphone.
es Mesas tranquilas en {p} | Cafés y bibliotecas de {p} con enchufe, ventana y sin altavoces.
de Ruhige Tische in {p} | Cafés und Bibliotheken in {p} mit Steckdose, Fenster und ohne Telefonlärm.
ja {p}の静かな作業席 | コンセントと窓があって静かな、{p}のカフェと図書館を案内します。

en Street Names of {p} | Who was that street named after? Twenty questions about {p}.
es Las calles de {p} | ¿A quién debe su nombre esa calle? Veinte preguntas sobre {p}.
de Straßennamen von {p} | Nach wem ist diese Straße benannt? Zwanzig Fragen über {p}.
ja {p}の通り名クイズ | あの通りの名前は誰にちなんだ？{p}についての20問。

en Lost in {p} | You wake up somewhere in {p}. No map, five clues, one way home.
es Perderse en {p} | Te despiertas en algún lugar de {p}. Sin mapa, cinco pistas, un camino a casa.
de Verirrt in {p} | Du wachst irgendwo in {p} auf. Keine Karte, fünf Hinweise, ein Heimweg.
ja {p}で迷子 | 目を覚ますと{p}のどこか。地図なし、手がかり5つ、帰り道はひとつ。

en Street Cats of {p} | Who has seen the one-eyed tabby? A friendly register of cats in {p}.
es Gatos callejeros de {p} | ¿Quién ha visto al atigrado tuerto? Un registro amistoso de los gatos de {p}.
de Straßenkatzen von {p} | Wer hat den einäugigen Tiger gesehen? Ein freundliches Katzenregister für {p}.
ja {p}の街猫だより | 片目のトラ猫を見た人は？{p}の猫たちのやさしい名簿です。

en Stars over {p} | What can be seen tonight above the rooftops of {p}, street lamps considered.
es Estrellas sobre {p} | Lo que se ve esta noche sobre los tejados de {p}, farolas incluidas.
de Sterne über {p} | Was heute Nacht über den Dächern von {p} zu sehen ist, trotz Straßenlaternen.
ja {p}の星空 | 街灯も考えに入れた、今夜{p}の屋根の上に見える星です。

en Kitchen Rush in {p} | Serve half of {p} before the rice burns.
es Cocina a tope en {p} | Da de comer a media {p} antes de que se queme el arroz.
de Küchenchaos in {p} | Halb {p} hat Hunger: Serviere alles, bevor der Reis anbrennt.
ja {p}キッチン大混雑 | ごはんが焦げる前に、{p}中のお客さんをさばきましょう。

en Bookshops of {p} | Every independent bookshop in {p}, with opening hours and the house cat.
es Librerías de {p} | Todas las librerías independientes de {p}, con horario y gato residente.
de Buchläden in {p} | Alle unabhängigen Buchläden in {p}, mit Öffnungszeiten und Hauskatze.
ja {p}の本屋めぐり | {p}の個人書店を、営業時間と看板猫つきで案内します。

en Running Loops in {p} | Flat, hilly or with a view: loops in {p} that end where they began.
es Rutas para correr en {p} | Llanas, con cuestas o con vistas: circuitos por {p} que acaban donde empiezan.
de Laufrunden in {p} | Flach, hügelig oder mit Aussicht: Runden in {p}, die enden, wo sie beginnen.
ja {p}ランニングコース | 平坦、坂道、眺めよし。{p}の一周コースを集めました。
`)

export const LOCAL_IDEAS: readonly LocalIdea[] = PHRASES.map((phrase, index) => {
  const setting = SETTINGS[index]
  if (setting === undefined) throw new Error(`no setting for ${phrase.en.title}`)
  return { category: setting[0], kind: setting[1], byTheSea: setting[2], phrase }
})
