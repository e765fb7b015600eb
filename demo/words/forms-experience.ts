import { forms } from './table.js'

/** Slots: see `fill` in ../wording.ts. */
export const EXPERIENCE_FORMS = forms(`
en {X} Museum | Walk through seven small rooms about {x}; nobody will ask for a ticket.
es Museo de {x} | Recorre siete salas pequeñas sobre {lx}; nadie te pedirá la entrada.
de {X}-Museum | Ein Rundgang durch sieben kleine Räume über {n}, ganz ohne Eintritt.
ja {x}博物館 | {x}をテーマにした小さな7つの部屋を、チケットなしで歩けます。
on food garden music art travel pets stories sky

en The Secret Life of {Xs} | What happens when nobody looks? A short interactive film about {x}.
es La vida secreta de {lx} | ¿Qué pasa cuando nadie mira? Un corto interactivo sobre {lx}.
de Das geheime {X}-Leben | Was geschieht, wenn niemand hinsieht? Ein kurzer interaktiver Film über {n}.
ja {x}のひみつの暮らし | 誰も見ていないとき何が起きている？{x}の短いインタラクティブ映像です。
on food garden music travel sky pets stories calm

en {X} in Slow Motion | Slow everything down with your finger and look closely at {x}.
es {X} a cámara lenta | Detén el tiempo con el dedo y mira {lx} muy de cerca.
de {X}-Zeitlupe | Mit dem Finger die Zeit bremsen und {n} ganz genau ansehen.
ja スローモーション{x} | 指で時間をゆっくりにして、{x}をじっくり眺めます。
on food garden music art travel sky pets calm

en {X} Radio | A station that never stops talking, humming and whispering about {x}.
es Radio {x} | Una emisora que nunca deja de hablar, tararear y susurrar sobre {lx}.
de {X}-Radio | Ein Sender, der niemals aufhört, über {n} zu reden, zu summen und zu flüstern.
ja {x}ラジオ | {x}について語り、口ずさみ、ささやき続けるラジオ局です。
on food garden music travel sky pets stories calm

en An Hour of {Xs} | Sixty minutes with {x}, to be watched with the lights off.
es Una hora de {x} | Sesenta minutos de {x}, mejor con la luz apagada.
de Eine Stunde für {n} | Sechzig Minuten nur für {n}, am besten bei gelöschtem Licht.
ja {x}の一時間 | 明かりを消して眺めたい、60分間の{x}。
on garden music art travel sky pets calm

en {X} Night | A night in thirteen scenes. You choose the way, with {x} on your mind.
es Noche de {x} | Una noche en trece escenas, con {x} de fondo; el camino lo eliges tú.
de {X}-Nacht | Eine Nacht in dreizehn Szenen rund um {n}; den Weg bestimmst du.
ja {x}の夜 | 13の場面からなる一夜。{x}の気配の中、道を選ぶのはあなたです。

en Letters about {Xs} | Every evening a letter from a stranger who writes about {x}.
es Cartas sobre {lx} | Cada noche, la carta de una persona desconocida que escribe sobre {lx}.
de Briefe über {n} | Jeden Abend ein Brief von jemandem, der über {n} schreibt.
ja {x}からの便り | 毎晩、見知らぬ誰かから{x}についての手紙が届きます。

en In Praise of {Xs} | A scrolling poem with sound, written for people who love {x}.
es Elogio de {lx} | Un poema sonoro que se desliza, para quienes aman el mundo de {lx}.
de Ein Lob auf {n} | Ein klingendes Gedicht zum Scrollen für alle, die {n} lieben.
ja {x}賛歌 | {x}を愛する人のための、音のついたスクロール詩です。

en {X} Soundscape | Put on headphones: a soundscape that follows your breath and thinks of {x}.
es Paisaje sonoro de {x} | Ponte los auriculares: un paisaje sonoro sobre {lx} que sigue tu respiración.
de {X}-Klangwelt | Kopfhörer auf: eine Klangwelt über {n}, die deinem Atem folgt.
ja {x}の音風景 | ヘッドホンでどうぞ。呼吸に合わせて移ろう、{x}の音の風景です。
on garden travel sky pets calm music

en A Short History of {Xs} | Two thousand years in ten minutes: a tap-through tale about {x}.
es Breve historia de {lx} | Dos mil años en diez minutos: un relato sobre {lx} que avanza a toques.
de Kleine {X}-Geschichte | Zweitausend Jahre in zehn Minuten: eine Geschichte über {n} zum Durchtippen.
ja {x}小史 | 2000年を10分で。タップして読み進める{x}の物語です。
on food garden music art travel sky pets stories

en {X} Dreams | Tilt the phone and drift through a dream about {x}.
es Sueños de {x} | Inclina el móvil y déjate llevar por un sueño sobre {lx}.
de {X}-Träume | Das Handy neigen und durch einen Traum über {n} treiben.
ja {x}の夢 | スマホを傾けて、{x}の夢の中を漂います。
on food garden travel sky pets calm stories

en {X} Theatre | A paper theatre in three acts, with {x} in every leading role.
es Teatro de {x} | Un teatro de papel en tres actos sobre {lx}.
de {X}-Theater | Ein Papiertheater in drei Akten über {n}.
ja {x}劇場 | {x}が主役をつとめる、全三幕の紙の劇場です。
on food garden pets travel stories sky music
`)
