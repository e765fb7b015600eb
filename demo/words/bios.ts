import { type ByLanguage, lines } from './table.js'

/** Two halves of a short biography; `{city}` is where the person lives. Written without grammatical gender. */
export const FIRST_HALVES: ByLanguage<readonly string[]> = {
  en: lines(`
    I bake bread in {city}.
    Librarian by day in {city}.
    Nurse in {city}, usually on the night shift.
    I teach chemistry at a school in {city}.
    Retired bus driver from {city}.
    I repair bicycles in {city}.
    Graphic designer, {city}.
    Parent of three in {city}.
    I grow tomatoes on a rooftop in {city}.
    Studying marine biology in {city}.
    Carpenter in {city}.
    I run a very small record shop in {city}.
    Physiotherapist and amateur astronomer in {city}.
    From {city}, mostly on trains.
    I translate novels in {city}.
    Electrician with too many ideas, {city}.
    Ceramics and code, {city}.
    I look after an allotment in {city}.
    Radio producer in {city}.
    Twelve years in a kitchen in {city}, now out in the daylight.
  `),
  es: lines(`
    Horneo pan en {city}.
    Doy clases de química en {city}.
    Vivo en {city} con dos gatos.
    Reparo bicicletas en {city}.
    Estudio biología marina en {city}.
    Traduzco novelas desde {city}.
    Cuido un huerto pequeño en {city}.
    Hago cerámica y programas en {city}.
    Trabajo de noche en un hospital de {city}.
    Tengo una tienda de discos diminuta en {city}.
  `),
  de: lines(`
    Ich backe Brot in {city}.
    Unterrichte Chemie in {city}.
    Lebe mit zwei Katzen in {city}.
    Repariere Fahrräder in {city}.
    Studiere Meeresbiologie in {city}.
    Übersetze Romane, am liebsten in {city}.
    Pflege einen Schrebergarten in {city}.
    Töpfern und Programmieren in {city}.
    Nachtschicht im Krankenhaus in {city}.
    Kleiner Plattenladen in {city}.
  `),
  ja: lines(`
    {city}でパンを焼いています。
    {city}の学校で化学を教えています。
    {city}で猫2匹と暮らしています。
    {city}で自転車の修理をしています。
    {city}で海洋生物学を学んでいます。
    {city}で翻訳の仕事をしています。
    {city}の小さな畑を耕しています。
    {city}で陶芸とプログラミング。
    {city}の病院で夜勤をしています。
    {city}で小さなレコード店をやっています。
  `),
}

export const SECOND_HALVES: ByLanguage<readonly string[]> = {
  en: lines(`
    I make small tools for slow mornings.
    Mostly games for my nieces.
    Everything here began as a joke.
    I like maps, moss and short sentences.
    Remix whatever you want.
    One new thing every month, or so I promise.
    Collecting sounds of old lifts.
    Happy to hear what you would change.
    Trackers for people who forget to track.
    Learning in public.
    Widgets should be quiet.
    If it fits on one screen, I will try it.
    Still looking for the perfect timer.
    Here for the puzzles.
    My dog tests everything.
  `),
  es: lines(`
    Hago herramientas pequeñas para mañanas lentas.
    Sobre todo, juegos para mis sobrinas.
    Todo lo que ves aquí empezó como una broma.
    Me gustan los mapas, el musgo y las frases cortas.
    Remezcla lo que quieras.
    Una cosa nueva al mes, o eso prometo.
    Aprendo a la vista de todos.
    Mi perro lo prueba todo.
  `),
  de: lines(`
    Baue kleine Werkzeuge für langsame Morgen.
    Meistens Spiele für meine Nichten.
    Alles hier fing als Scherz an.
    Mag Landkarten, Moos und kurze Sätze.
    Remixt, was ihr wollt.
    Jeden Monat etwas Neues, versprochen.
    Widgets sollten leise sein.
    Mein Hund testet alles.
  `),
  ja: lines(`
    ゆっくりした朝のための小さな道具を作ります。
    だいたい姪っ子のためのゲームです。
    どれも冗談から始まりました。
    地図と苔と短い文が好き。
    リミックスはご自由に。
    毎月ひとつ、新しいものを作るのが目標です。
    ウィジェットは静かなほうがいい。
    テスト担当は犬です。
  `),
}
