import { forms } from './table.js'

/** Slots: see `fill` in ../wording.ts. */
export const WIDGET_FORMS = forms(`
en {X} of the Day | A new card about {x} on your home screen every morning.
es {X} del día | Cada mañana, una tarjeta nueva sobre {lx} en tu pantalla de inicio.
de {X}-Tageskarte | Jeden Morgen eine neue Karte über {n} auf dem Startbildschirm.
ja 今日の{x} | 毎朝、{x}の新しいカードがホーム画面に届きます。
on food garden music art learning travel sky pets stories games calm

en {X} Clock | Tells the time, but the hands are drawn with {x} in mind.
es Reloj de {x} | Da la hora, pero con agujas inspiradas en {lx}.
de {X}-Uhr | Zeigt die Uhrzeit, nur dass die Zeiger an {n} erinnern.
ja {x}時計 | 針のデザインが{x}をイメージした時計です。
on food garden music travel sky pets games calm work

en {X} Countdown | Days, hours and minutes until it is time for {x} again.
es Cuenta atrás de {x} | Días, horas y minutos hasta volver a disfrutar de {lx}.
de {X}-Countdown | Tage, Stunden und Minuten, bis wieder Zeit für {n} ist.
ja {x}カウントダウン | 次の{x}まで、あと何日何時間何分かを表示します。
on food fitness music travel home work sky garden

en {X} at a Glance | The three facts about {x} that you need before leaving the house.
es {X} de un vistazo | Los tres datos sobre {lx} que necesitas antes de salir de casa.
de {X}-Überblick | Drei Fakten über {n}, die man vor dem Losgehen kennen sollte.
ja ひと目で{x} | 出かける前に知っておきたい{x}の情報を3つだけ。
on garden fitness travel home work sky food

en Tiny {X} | The smallest possible widget about {x}: one square, one picture, no settings.
es Mini {x} | El widget más pequeño posible sobre {lx}: un cuadrado, una imagen, cero ajustes.
de {X}-Winzling | Das kleinste Widget über {n}: ein Quadrat, ein Bild, keine Einstellungen.
ja ちいさな{x} | {x}のいちばん小さなウィジェット。四角ひとつ、絵ひとつ、設定なし。

en {X} Reminder | Reminds you of {x} at the right moment and then keeps quiet.
es Recordatorio de {x} | Se acuerda de {lx} en el momento justo y luego guarda silencio.
de {X}-Erinnerung | Erinnert im richtigen Moment an {n} und schweigt danach wieder.
ja {x}リマインダー | ちょうどいい時に{x}を思い出させて、あとは静かにしています。
on food garden fitness music learning home work pets calm

en {X} Dial | A round dial that turns a little further whenever you make room for {x}.
es Dial de {x} | Un dial redondo que avanza un poco cada vez que te acuerdas de {lx}.
de {X}-Skala | Eine runde Skala, die sich für {n} jedes Mal ein Stück weiterdreht.
ja {x}ダイヤル | {x}のたびに少しずつ回る、丸いダイヤルです。
on fitness music learning work calm sky home

en Lock Screen {X} | Your lock screen, dressed up for {x} and changing with the light outside.
es {X} en la pantalla de bloqueo | Tu pantalla de bloqueo, vestida de {x} y cambiante con la luz de fuera.
de {X}-Sperrbildschirm | Ein Sperrbildschirm über {n}, der sich mit dem Licht draußen verändert.
ja ロック画面の{x} | 外の明るさに合わせて変わる{x}で、ロック画面を飾ります。
on garden art travel sky pets games calm music

en {X} Forecast | A playful forecast: what are the chances of {x} today?
es Pronóstico de {x} | Un pronóstico juguetón: ¿qué probabilidad hay hoy de {x}?
de {X}-Vorhersage | Eine verspielte Vorhersage: Wie gut stehen die Chancen heute für {n}?
ja {x}予報 | 今日の{x}の確率は？遊び心のある予報です。
on food garden sky work pets home

en Daily {X} Facts | One true and slightly odd fact about {x} every day.
es Datos diarios de {x} | Cada día, un dato cierto y algo raro sobre {lx}.
de {X}-Fakten für jeden Tag | Jeden Tag eine wahre und leicht seltsame Tatsache über {n}.
ja 毎日{x}まめ知識 | {x}についての、本当でちょっと変な豆知識を毎日ひとつ。
on food garden music art learning travel sky pets stories games

en {X} Corner | A quiet corner of your home screen that belongs to {x}.
es El rincón de {lx} | Un rincón tranquilo de tu pantalla dedicado por completo a {lx}.
de {X}-Ecke | Eine ruhige Ecke auf dem Startbildschirm, reserviert für {n}.
ja {x}コーナー | ホーム画面のすみに、{x}のための静かな場所を。

en Good Morning, {Xs} | Starts the day with the time, the weather and a kind word about {x}.
es Buenos días, {x} | Empieza el día con la hora, el tiempo y unas palabras amables sobre {lx}.
de {X}-Morgengruß | Startet den Tag mit Uhrzeit, Wetter und einem netten Wort über {n}.
ja おはよう{x} | 時刻と天気、そして{x}についてのやさしい一言で一日を始めます。
on food garden music sky pets games calm stories

en {X} Traffic Light | Green, yellow or red: is today a good day for {x}?
es Semáforo de {x} | Verde, ámbar o rojo: ¿es hoy un buen día para {lx}?
de {X}-Ampel | Grün, Gelb oder Rot: Ist heute ein guter Tag für {n}?
ja {x}信号 | 青・黄・赤でわかる、今日は{x}にいい日かどうか。
on food garden fitness travel home sky
`)
