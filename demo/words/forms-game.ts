import { forms } from './table.js'

/** Slots: see `fill` in ../wording.ts. */
export const GAME_FORMS = forms(`
en {X} Quiz | Twelve quick questions about {x}, and a high score that is hard to beat.
es Trivial de {x} | Doce preguntas rápidas sobre {lx} y una puntuación difícil de superar.
de {X}-Quiz | Zwölf schnelle Fragen über {n} und ein Rekord, der schwer zu knacken ist.
ja {x}クイズ | {x}についての12問。ハイスコアはなかなか破れません。

en {X} Pairs | Turn the cards, find the pairs: a memory game drawn around {x}.
es Parejas de {x} | Gira las cartas y encuentra las parejas: un juego de memoria sobre {lx}.
de {X}-Memo | Karten umdrehen, Paare finden: ein Merkspiel über {n}.
ja {x}神経衰弱 | カードをめくってペアを探す、{x}の絵合わせゲームです。
on food garden music art learning travel sky pets games stories

en {X} Rush | Sixty seconds, two thumbs and a flood of {x}.
es Fiebre de {x} | Sesenta segundos, dos pulgares y una avalancha de {x}.
de {X}-Rausch | Sechzig Sekunden, zwei Daumen und ein Gedrängel um {n}.
ja {x}ラッシュ | 60秒、親指2本、そして押し寄せる{x}。
on food garden learning travel home work pets games music

en {X} Tycoon | Build a small empire on {x}, one careful upgrade at a time.
es Imperio de {x} | Levanta un pequeño imperio de {x}, mejora a mejora.
de {X}-Imperium | Baue Schritt für Schritt ein kleines Imperium rund um {n} auf.
ja {x}王国 | 少しずつ強化しながら、{x}で小さな王国を築きます。
on food garden travel work pets games music stories

en {X} Bingo | Bingo for a group: spot the clichés about {x} and shout first.
es Bingo de {x} | Bingo en grupo: detecta los tópicos sobre {lx} y grita antes que nadie.
de {X}-Bingo | Bingo für die Runde: Klischees über {n} entdecken und als Erste rufen.
ja {x}ビンゴ | {x}の「あるある」を見つけて先に叫ぶ、みんなで遊ぶビンゴです。
on food fitness music travel home work pets stories sky

en {X} Duel | Two players, one phone, three rounds of {x}.
es Duelo de {x} | Dos personas, un móvil y tres rondas de {x}.
de {X}-Duell | Zu zweit an einem Handy: drei Runden, ein Kampf um {n}.
ja {x}対決 | 1台のスマホでふたり対戦。{x}の三本勝負です。
on food fitness music learning art games stories sky

en {X} Maze | Find your way through a maze full of {x} before the light goes out.
es Laberinto de {x} | Sal de un laberinto lleno de {x} antes de que se apague la luz.
de {X}-Labyrinth | Ein Irrgarten rund um {n}: Finde hinaus, bevor das Licht ausgeht.
ja {x}迷路 | 明かりが消える前に、{x}だらけの迷路を抜け出しましょう。
on garden travel pets games home sky

en {X} Panic | Everything is on fire, and it is all because of {x}.
es Pánico de {x} | Un descontrol total en torno a {lx}. ¿Mantendrás la calma?
de {X}-Panik | Alles geht drunter und drüber, und zwar nur durch {n}.
ja {x}パニック | {x}のせいで大混乱。あわてずにさばけるか？
on food garden travel home work pets games learning

en {X} Dash | Run, jump and slide past {x} with a single finger.
es Carrera de {x} | Corre, salta y deslízate entre {lx} con un solo dedo.
de {X}-Sprint | Mit einem Finger laufen, springen und um {n} herumrutschen.
ja {x}ダッシュ | 指一本で走って跳んですべって、{x}をかわします。
on food garden pets games travel work

en {X} Solitaire | The old card game with a hand-drawn deck about {x}.
es Solitario de {x} | El juego de cartas de siempre, con una baraja dibujada sobre {lx}.
de {X}-Solitär | Das alte Kartenspiel mit einem handgezeichneten Blatt über {n}.
ja {x}ソリティア | {x}の手描きカードで遊ぶ、おなじみのソリティアです。
on food garden music art travel pets games sky stories

en {X} Tower | Stack {x} as high as you can; gravity does the rest.
es Torre de {x} | Apila {x} hasta donde puedas; la gravedad hará el resto.
de {X}-Turm | So hoch wie möglich {n} stapeln; den Rest erledigt die Schwerkraft.
ja {x}タワー | {x}をどこまで高く積める？あとは重力しだいです。
on food garden pets games home

en {X} Detective | Somebody has tampered with {x}. Five suspects, one evening.
es Detectives de {x} | Un caso misterioso sobre {lx}: cinco sospechosos y una sola noche.
de {X}-Detektive | Ein rätselhafter Fall rund um {n}: fünf Verdächtige, ein Abend.
ja {x}探偵 | {x}をめぐる事件発生。容疑者は5人、時間は一晩。
on food garden music art pets games stories travel

en {X} Roulette | Spin the wheel and do what it says: small dares about {x}.
es Ruleta de {x} | Gira la ruleta y haz lo que diga: pequeños retos sobre {lx}.
de {X}-Glücksrad | Am Rad drehen und tun, was es sagt: kleine Mutproben rund um {n}.
ja {x}ルーレット | 回して、出たお題をやるだけ。{x}の運だめしです。
on food fitness music art learning travel home stories

en {X} Escape | An escape room for your phone: six riddles, all hidden in {x}.
es Escape de {x} | Una sala de escape en el móvil: seis enigmas escondidos entre {lx}.
de {X}-Fluchtspiel | Ein Fluchtspiel fürs Handy: sechs Rätsel rund um {n}.
ja {x}脱出ゲーム | スマホで脱出ゲーム。6つの謎が{x}に隠されています。
on travel stories games pets garden art

en {X} Guesser | One blurred picture about {x}, four answers: it gets sharper while your points melt.
es Adivinanza de {x} | Una imagen borrosa sobre {lx} y cuatro respuestas: se aclara mientras pierdes puntos.
de {X}-Raten | Ein unscharfes Bild über {n}, vier Antworten: Es wird schärfer, die Punkte schmelzen.
ja {x}当て | ぼやけた{x}の写真と4つの答え。くっきりするほど点が減ります。
on food garden music art travel sky pets games

en {X} Dominoes | Lay {x} end to end and make the longest chain in town.
es Dominó de {x} | Enlaza {x} pieza a pieza y forma la cadena más larga del barrio.
de {X}-Kette | Stück für Stück {n} aneinanderlegen, bis die längste Kette der Stadt entsteht.
ja {x}つなぎ | {x}をひとつずつつないで、町でいちばん長い列を作ります。
on food garden pets games learning sky
`)
