import { forms } from './table.js'

/** Slots: see `fill` in ../wording.ts. */
export const TRACKER_FORMS = forms(`
en {X} Diary | One line a day about {x}, kept where you will find it again.
es Diario de {x} | Una línea al día sobre {lx}, guardada donde volverás a encontrarla.
de {X}-Tagebuch | Jeden Tag eine Zeile über {n}, dort aufgehoben, wo man sie wiederfindet.
ja {x}日記 | {x}について1日1行。あとから必ず見つかる日記です。

en {X} Log | Tap once to log it: {x}, with date, place and a short note.
es Registro de {x} | Un toque y queda apuntado: {x}, con fecha, lugar y una nota breve.
de {X}-Protokoll | Einmal tippen genügt: {n} mit Datum, Ort und kurzer Notiz festhalten.
ja {x}ログ | ワンタップで{x}を記録。日付と場所とひとことメモが残ります。

en {X} Streak | Keep the chain going: one small step a day towards more {x}.
es Racha de {x} | Que no se rompa la cadena: cada día un pasito más en tu historia con {lx}.
de {X}-Serie | Nicht abreißen lassen: jeden Tag ein kleiner Schritt für {n}.
ja {x}チャレンジ連続記録 | 記録を途切れさせないで。{x}のために毎日ひとつ、小さな一歩を。
on fitness music art learning stories calm work home food

en {X} Counter | Counts {x} by day, week and season, and draws a calm little graph.
es Contador de {x} | Cuenta {x} por día, semana y estación, y dibuja una gráfica tranquila.
de {X}-Zähler | Zählt {n} nach Tag, Woche und Jahreszeit und zeichnet dazu eine ruhige Kurve.
ja {x}カウンター | {x}を日・週・季節ごとに数えて、おだやかなグラフにします。
on food garden fitness travel sky pets work

en A Year of {Xs} | Twelve months of {x} on a single page, one square for each day.
es Un año de {x} | Doce meses de {x} en una sola página, un cuadrado por día.
de Ein Jahr für {n} | Zwölf Monate auf einer Seite: jeden Tag ein Kästchen für {n}.
ja {x}の一年 | {x}の12か月を1ページに。1日がひとつのマスになります。

en {X} Almanac | Notes what happened on this day in past years, with {x} at the heart of it.
es Almanaque de {x} | Recuerda qué pasó tal día como hoy, siempre en torno a {lx}.
de {X}-Kalender | Zeigt, was an diesem Tag in früheren Jahren los war, immer rund um {n}.
ja {x}歳時記 | 去年の今日、何があったか。{x}を軸に振り返ります。
on food garden travel sky pets music stories

en {X} Checklist | Never forget a step again: a list for {x} that resets itself every week.
es Lista de {x} | No olvides ningún paso: una lista de {x} que se reinicia cada semana.
de {X}-Checkliste | Nie wieder etwas vergessen: eine Liste für {n}, die sich jede Woche selbst zurücksetzt.
ja {x}チェックリスト | 毎週自動でリセットされる{x}のリスト。もう手順を忘れません。
on food garden fitness learning travel home work pets

en {X} Milestones | First times, best times, last times: the story of you and {x}.
es Hitos de {x} | Las primeras veces, las mejores y las últimas: tu historia con {lx}.
de {X}-Meilensteine | Das erste Mal, das beste Mal, das letzte Mal: deine Geschichte rund um {n}.
ja {x}の節目 | はじめての日、いちばんの日。あなたと{x}の物語を残します。
on fitness music art learning pets home garden stories work

en My {X} Chart | Type a number, get a curve: {x} made visible, without an account.
es Mi gráfica de {x} | Escribe un número y sale una curva: todo sobre {lx}, sin crear una cuenta.
de Meine {X}-Kurve | Zahl eintippen, Kurve sehen: macht {n} sichtbar, ganz ohne Konto.
ja わたしの{x}グラフ | 数字を入れるだけで{x}が曲線に。登録はいりません。
on fitness garden food sky work learning calm pets

en {X} Hours | How much time goes into {x}? Start, stop, and be honest.
es Horas de {x} | ¿Cuánto tiempo se te va en {lx}? Empieza, para y dilo con sinceridad.
de {X}-Stunden | Wie viel Zeit geht für {n} drauf? Start, Stopp, und ehrlich bleiben.
ja {x}時間計 | {x}にどれだけ時間を使っている？開始と停止で正直に測ります。
on fitness music art learning stories work calm

en {X} Ledger | What it cost, what it gave back: honest bookkeeping for {x}.
es Cuentas de {x} | Lo que costó y lo que devolvió: las cuentas claras sobre {lx}.
de {X}-Kassenbuch | Was es gekostet und was es gebracht hat: ehrliche Buchführung über {n}.
ja {x}家計簿 | かかったお金と得られたもの。{x}の収支を正直につけます。
on food garden travel home work pets

en {X}, Week by Week | A gentle weekly review: what worked with {x}, and what to try next.
es {X}, semana a semana | Un repaso semanal sobre {lx}: qué salió bien y qué probar después.
de {X}-Wochenblick | Ein sanfter Wochenrückblick über {n}: was geklappt hat und was als Nächstes kommt.
ja 週刊{x} | {x}でうまくいったことと次に試すことを、週に一度ゆっくり振り返ります。
on fitness garden music art learning work calm food home

en {X} Timeline | Scroll back through months of {x}, photo by photo.
es Cronología de {x} | Recorre meses enteros de {x}, foto a foto.
de {X}-Zeitleiste | Blättere Foto für Foto zurück durch viele Monate: alles über {n}.
ja {x}年表 | 何か月分もの{x}を、写真でさかのぼれます。
on garden pets travel art sky music stories home
`)
