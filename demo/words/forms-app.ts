import { forms } from './table.js'

/** Slots: see `fill` in ../wording.ts. */
export const APP_FORMS = forms(`
en {X} Planner | Plan your week around {x} and see at a glance what is next.
es Planificador de {x} | Organiza la semana en torno a tu afición: {lx}, con lo siguiente siempre a la vista.
de {X}-Planer | Plant die Woche rund um {n} und zeigt auf einen Blick, was als Nächstes ansteht.
ja {x}プランナー | {x}を中心に一週間の予定を立てて、次にやることをすぐに確認できます。
on food garden fitness music art learning travel home work pets stories calm

en {X} Companion | A patient companion for everyone who is getting into {x}.
es Compañero de {x} | Un acompañante paciente para quien empieza en el mundo de {lx}.
de {X}-Begleiter | Ein geduldiger Begleiter für alle, die gerade {n} für sich entdecken.
ja {x}のおとも | {x}に興味を持ちはじめた人に、のんびり寄り添うアプリです。
on garden fitness music art learning travel sky pets stories calm food

en {X} Notebook | Notes, photos and small discoveries about {x}, sorted without any effort.
es Cuaderno de {x} | Notas, fotos y pequeños hallazgos sobre {lx}, ordenados sin esfuerzo.
de {X}-Notizbuch | Notizen, Fotos und kleine Entdeckungen über {n}, ganz ohne Mühe sortiert.
ja {x}ノート | {x}についてのメモや写真、小さな発見を手間なく整理できます。

en {X} Atlas | A map that grows with every place where you found {x}.
es Atlas de {x} | Un mapa que crece con cada lugar donde has encontrado {x}.
de {X}-Atlas | Eine Karte, die mit jedem Fund wächst: alles über {n}, Ort für Ort.
ja {x}アトラス | {x}を見つけた場所が増えるたびに、地図が少しずつ育ちます。
on food garden travel sky music stories pets

en {X} Club | Meet a handful of people who care about {x} as much as you do.
es Club de {x} | Un rincón para un puñado de personas que adoran hablar de {lx}.
de {X}-Club | Für eine Handvoll Leute, die sich genauso für {n} begeistern wie du.
ja {x}クラブ | {x}が好きな仲間が少人数で集まれる場所です。
on food garden fitness music art learning stories pets travel sky

en {X} Finder | Finds {x} near you and remembers what was worth the detour.
es Buscador de {x} | Encuentra {x} cerca de ti y recuerda lo que mereció el desvío.
de {X}-Finder | Findet {n} in deiner Nähe und merkt sich, was den Umweg wert war.
ja {x}さがし | 近くの{x}を見つけて、寄り道してよかった場所を覚えておきます。
on food garden travel music art pets

en {X} Workshop | Ten short lessons, each with something to try, all about {x}.
es Taller de {x} | Diez lecciones cortas sobre {lx}, cada una con algo que probar.
de {X}-Werkstatt | Zehn kurze Lektionen über {n}, jede mit etwas zum Ausprobieren.
ja {x}工房 | {x}を学ぶ全10回の短いレッスン。毎回ひとつ手を動かします。
on food garden fitness music art learning stories calm

en {X} Calculator | Does the sums that come with {x}, so that you do not have to.
es Calculadora de {x} | Hace por ti todas las cuentas que traen consigo las aventuras de {lx}.
de {X}-Rechner | Nimmt dir alle Rechnereien rund um {n} ab.
ja {x}計算機 | {x}にまつわる面倒な計算をまとめて引き受けます。
on food garden fitness learning work home travel

en Pocket {X} | Everything I keep looking up about {x}, on one small screen.
es {X} de bolsillo | Todo lo que siempre acabo buscando sobre {lx}, en una sola pantalla.
de {X}-Taschenbuch | Alles über {n}, was ich sonst immer wieder nachschlage, auf einem kleinen Bildschirm.
ja ポケット{x} | {x}についていつも調べ直してしまうことを、小さな画面にまとめました。

en {X} Collection | Collect, label and show off your favourite {x}.
es Colección de {x} | Reúne, etiqueta y presume: aquí cabe todo lo que tengas de {x}.
de {X}-Sammlung | Für alle, die gern {n} sammeln, beschriften und herzeigen.
ja {x}コレクション | お気に入りの{x}を集めて、名前をつけて、みんなに見せられます。
on food garden music art travel stories home pets

en {X} for Beginners | Start with {x} in fifteen minutes a day, with no jargon at all.
es {X} para principiantes | Quince minutos al día para descubrir el mundo de {lx}, sin tecnicismos.
de {X}-Einstieg | In fünfzehn Minuten am Tag alles Wichtige über {n}, ganz ohne Fachchinesisch.
ja はじめての{x} | 1日15分、専門用語なしで{x}に親しめます。
on food garden fitness music art learning sky pets calm stories

en {X} Swap | Offer what you have, ask for what you need, and talk about {x} on the way.
es Trueque de {x} | Ofrece lo que te sobra, pide lo que te falta y charla sobre {lx} por el camino.
de {X}-Tausch | Biete an, was du hast, such, was dir fehlt, und plaudere nebenbei über {n}.
ja {x}交換所 | 余っているものをゆずり、欲しいものをもらいながら、{x}の話ができます。
on food garden music art stories home travel

en {X} Coach | Small, honest nudges that help you stay with {x} for more than a week.
es Entrenador de {x} | Empujoncitos sinceros para que tu entusiasmo por {lx} dure más de una semana.
de {X}-Coach | Kleine, ehrliche Anstöße, damit die Begeisterung für {n} länger als eine Woche hält.
ja {x}コーチ | {x}を三日坊主で終わらせないための、正直な小さな声かけ。
on fitness music art learning work calm stories home

en {X} Kit | Checklists, timers and tables for {x}, in one place and offline.
es Kit de {x} | Listas, temporizadores y tablas de {x}, en un solo sitio y sin conexión.
de {X}-Baukasten | Listen, Timer und Tabellen für {n}, an einem Ort und auch ohne Netz.
ja {x}キット | {x}に使うチェックリストやタイマー、早見表をひとつに。オフラインでも使えます。
on food garden fitness music art learning travel home work sky pets

en All About {Xs} | Short articles, good pictures and one surprise a day about {x}.
es Todo sobre {lx} | Artículos cortos, buenas imágenes y una sorpresa diaria sobre {lx}.
de Alles über {n} | Kurze Artikel, schöne Bilder und jeden Tag eine Überraschung über {n}.
ja {x}のすべて | 短い読みものときれいな写真で、{x}の驚きを毎日ひとつ届けます。
on food garden music art learning travel sky pets stories
`)
