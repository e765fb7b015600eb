import { tokenize } from '../../lib/tokenize.js'
import type { Language } from '../languages.js'
import { editDistance } from './similarity.js'

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that tell the language and nothing else. */
const STOP_WORDS: Record<Language, ReadonlySet<string>> = {
  en: wordSet(`
    a an and any anyone are as at be been but by can could did do does doing done for from get gets give gimme go had has have he her here
    hey hi his how i if in into is isn it its just know let like may me might mine more most my need no not of off on one or our out over
    please pls plz shall she should show so some such tell than thank thanks that the time their them then there these they this those thru to
    too u up ur us very want wanna was we were what whats when where which who whom whos why will with would you your yo yeah ok okay also
    about actually again all always am anything because before being between both cant dont ever every everything exactly find got great
    im id ive lemme many much must myself now nice only other quick question really s t re ve ll d m same say says see someone something
    didn doesn aren wasn weren couldn wouldn shouldn hasn haven hadn won ain still sure take thats thing things think through until use used using way well while whether without work works yes yet
  `),
  es: wordSet(`
    a al algo alguien algun alguna algunas alguno algunos ante aqui aquí así asi aun con como cómo cuanto cuánto cuanta cuánta cuantos cuántos cuantas cuántas cual cuál cuales cuáles cuando cuándo de
    del desde donde dónde e el él ella ellas ellos en entre era eres es esa ese eso esos esta está están estan este esto estos estoy fue
    ha hace hacer han hasta hay haya he la las le les lo los mas más me mi mis mucho muy nada ni no nos o os otra otro para pero poco por
    porque puede pueden puedes puedo pues que qué quien quién quienes quiero se sé sea ser si sí sin sobre solo sólo son soy su sus también
    tan te tengo tener tiene tienen tienes toda todas todo todos tu tú tus un una unas uno unos usar usa va vale y ya yo dime dame dónde
    favor porfa gracias cada cosa cosas saber sabes cuéntame cuentame muestra muéstrame muestrame hola
  `),
  de: wordSet(`
    ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist bitte da dann das dass dein deine dem den denn
    der des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas euch euer für
    gar geht gib gibt gibts hab habe haben hat hatte hier ich ihm ihn ihr im in ins ist ja jede jeder jedes kann kannst kein keine keinen
    man mal mehr mein meine meinem meinen mich mir mit muss musst nach nicht nichts noch nun nur ob oder ohne schon sein seine sich sie
    sind so soll sollte über um und uns unter vom von vor war warum was weil welche welchem welchen welcher welches wenn wer wen wem werden
    wie wieso will wir wird wirst wo wofür wohin zu zum zur zeig zeige sag sage bitte danke könnt können möchte erzähl erzähle hallo denn eigentlich
    beste bestes besten wurde wurden worden ganz viele viel
  `),
  ja: wordSet(`
    の は が を に で と も へ や か ね よ な だ です ます でし た て い る する し さ れ せ ん ない ある いる あり ます ください 下さい 教え 教えて
    何 なに どの どれ どこ どう いつ 誰 だれ こと もの これ それ あれ この その あの ここ から まで より など って は いう ため よう ている
    できる でき ます か なり なる なっ ませ ましょう ください お ご ので のに たい ほしい 欲しい 知り 知りたい てください という 人 方 たち
  `),
}

/** Small words of languages that are not ours, so that a French question is not taken for a German one. */
export const FOREIGN_STOP_WORDS: ReadonlySet<string> = wordSet(`
  le les des du est et une combien quel quelle quels quelles comment pourquoi puis avez vous nous je avec dans sont ce cette qui où au aux
  il lo gli che di è sono quanto quale perché con della nel o os um uma não quanto qual é são você com por het een van ik niet wat hoeveel kan
  jest czy nie jak och att det som är hur vad ile
`)

export const isStopWord = (language: Language, word: string): boolean => STOP_WORDS[language].has(word)

/** Whether a word is a common one with two letters swapped or, when it is long enough to tell, another single slip. */
export function isNearStopWord(language: Language, word: string): boolean {
  if (word.length < 3 || language === 'ja') return false
  const sameLength = word.length < 5
  return [...STOP_WORDS[language]].some(
    (common) =>
      common.length > 2 &&
      common[0] === word[0] &&
      (sameLength ? isSwap(word, common) : common.length > 4 && editDistance(word, common, 1) <= 1),
  )
}

const isSwap = (word: string, other: string): boolean =>
  word.length === other.length && editDistance(word, other, 1) === 1 && [...word].sort().join('') === [...other].sort().join('')

const list = (words: string): ReadonlySet<string> => new Set(tokenize(words))

/**
 * Words of politeness, of wondering and of everyday, which questions are wrapped in. Where the content uses one it is a
 * word like any other; where it does not, lacking it says nothing against a passage.
 */
const FILLER: Record<Language, ReadonlySet<string>> = {
  en: list(`
    able abt according actual add admit advise afterwards ahead almost alright although amount another answer anyhow anyway apart appear
    appreciate around asap ask asked asking aware away back basically become begin behave behaviour behavior believe besides better bother brief
    briefly bro bring btw build building bunch care case cause caught certain chance check clarify clear clearly client clients come comes
    concern confirm confused consider correct couple cuz curious damn day deal dear decide depend depends describe detail details developer did
    differ doubt dude dunno each easily easy either else encounter end enough especially etc exact example expect explain explanation
    fact feel few figure fine first folks follow following forget fully further general generally getting given gives giving
    glad gonna gotta grab guess guide guy guys handle happened happening happily hello help helpful hint honestly hope hoping however idea
    if imagine implement implementing implies include included includes indeed info inform information inside instance instead integrate integrating
    intend interested involved keeps kind kinda kindly knew knowing lately lead learn least leave left less lil list little live lol lookup
    looking made main make makes making manage matter meant mention mind minor mistake moment name named near necessary needed needs
    nope normally noted notice number obviously occasionally occur ones online onto order outta own particular particularly perhaps period
    piece planning pleas point possibly precisely prefer probably proceed proper properly provide provided purpose quickly quite rather
    reach read ready real realise realize reason receive received recommend refer regarding related remember remind reply report require required
    respond response result return returned returning returns right rn saw saying seem seems seen send sending sense sent set several share short
    should simple simply since situation small somebody somehow someone something sometimes somewhere soon sorry sort specific
    specifically specify spot stand start started stay stop straight stuck stupid suppose supposed tad talking tbh team
    technically telling tells term terms thinking thought thx till took totally toward tried true trust truth
    trying turn twice type typically understand understanding unsure upon usually various via vs wait wants weird welcome whatever whatsoever
    whenever wherever whichever willing wise wish wonder wondered wondering word words worry wouldnt written wrong yep
    option options value values list lists format definition define link links structure include includes need needed call calls supported choice choices kinds meaning final script bout everybody outside reason reasons january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday tonight tomorrow yesterday contain contains containing consist whats upper lower bound public published available exist exists existing altogether overall registered currently hate love annoying annoyed anybody nobody none neither nor dumb newbie noob sir madam cheers ta heya howdy yall
    settle argue arguing swear swears bet claims insists hundred sentence sentences normal regular ordinary typical nicely roughly approximately nephew niece sister brother mum mom dad wife husband colleague boss dinner keep running two three per hey shut till
    app application program programme software system thingy thingies service services product
  `),
  es: list(`
    quisiera quiero querría gustaría saber sabría sabe supiera decirme dirías digas podría podrías puedas pueda podemos explicar explicarme explica
    explicas entender entiendo comprender duda dudas pregunta preguntas respuesta ayuda ayudar ayudarme necesito necesita necesitas buenas buenos
    días tardes noches amigo tío che oye mira bueno vale ok claro exactamente concreto concretamente concreta ejemplo caso casos realidad verdad
    supuesto favor disculpa perdona perdón amable rápido rápida simplemente básicamente aproximadamente más menos cosa tipo forma manera modo parte
    vez veces hora horas ahora luego entonces después antes durante mientras siempre nunca nadie nada ninguno ninguna cualquiera cualquier mismo
    misma mismos propias propio debo debe debería deberían deben tengo tenga tener tenía tuve recibo recibe recibir recibí devuelve devuelven devolver
    devuelto responde responden contesta da dan dar doy das dado manda mandan mandar mando mandé envía envían envío enviar enviado llama llaman llamar llamo
    sale salen salir saco sacar pone ponen poner pongo trae traen traer viene vienen venir ir voy vas vamos van sería serían fuera ser estar estoy sido
    encuentro encontrar busco buscar buscando mirar veo ven ver vea mostrar muestra muestran enseña aparece aparecen existe existen cuento cuenta contar dice
    dicen decir di digo significa quiere pasa pasan pasar pasaría ocurre ocurren sucede haga hago hacen hizo hecho haciendo cliente programa script
    desarrollo desarrollador desarrollando montar montando integrar integración incluye incluyen llevar lleva llevan trata tratar intento intentar intentando usa uso usan
    utilizar utiliza utilizo exacto exacta cuáles alguna forma idea general breve resumen detalle detalles momento actualmente nombre nombres lista
    aplicación app servicio producto sistema deja dejar permite permiten sirve sirven seguro segura correcto correcta verdaderamente realmente acaso
    opciones opción valor valores lista formato definición enlace estructura incluye incluyen necesario necesaria posible posibles final enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo contiene contienen razón motivo aclarar aclararnos jura discutir discutíamos apuesta insiste normal normales corriente corrientes típico frase frases amablemente hermano hermana sobrino sobrina jefe jefa compañero compañera cena vuestro vuestra vuestros vuestras vais públicas públicos publicadas publicados disponibles existen hay totalidad porfavor porfa plis q xq pq tb tmb aver haber muchas mil curiosidad curioso gusta gente alguien hoy
  `),
  de: list(`
    wüsste gern gerne würde würden möchte möchten könnte könntest könnten sollte sollten müsste müssten dürfte bitte danke hallo moin sag sagen sagt sagst gesagt
    erklären erkläre erklärst erklärt verstehe verstehen versteht frage fragen gefragt antwort antwortet hilfe helfen hilf brauche brauchen braucht braucht's
    wissen weiß weißt interessiert interessieren neugierig genau genauer eigentlich überhaupt einfach kurz schnell mal halt eben ja doch nochmal übrigens
    gerade jetzt dann wann immer nie niemand nichts irgendwas irgendwie irgendwo jemand welcher was denn sonst etwa ungefähr mindestens wenigstens
    beispiel beispielsweise fall fälle falls sache sachen art arten weise teil mal male stunde stunden tag tage heute morgen dabei dafür damit dazu daran
    darauf darüber davon dort da hier her hin zurück bekomme bekommen bekommt kriege kriegen kriegt erhalte erhalten erhält kommt kommen kam gebe geben gibt gab
    liefert liefern schickt schicken schicke geschickt sendet senden gesendet ruft rufen aufrufe nutze nutzen nutzt benutze benutzen verwende verwenden verwendet
    stehen steht finde finden findet suche suchen sehe sehen sieht nachsehen nachschauen schaue schauen schau gucken zeigt zeigen anzeigen passiert passieren geschieht
    bedeutet bedeuten heißt heißen meint meinen gemeint lautet lauten machen macht mache gemacht tun tue tut getan läuft laufen lassen lässt bleibt bleiben
    client programm skript entwickler entwickle entwickeln baue bauen einbauen integrieren möglich möglichkeit können kannst kann darf dürfen muss müssen
    soll sollen will wollen wollte hätte hätten wäre wären sei richtig falsch stimmt sicher klar verstanden egal ganz sehr viel wenig mehr weniger groß
    name namen liste details einzelheiten überblick zusammenfassung dienst service produkt system app anwendung leute jungs kollege chef bisschen leider
    ok okay na ach oh wow hm äh bzw usw zb evtl vllt vielleicht wahrscheinlich vermutlich normalerweise meistens manchmal selten sofort gleich bald
    klären schwört gestritten streiten wetten wette behauptet normal normale normalen gewöhnlich gewöhnliche üblich satz sätze sätzen freund freundin bruder schwester neffe nichte kollegin chefin nett freundlich option optionen wert werte liste format definition link aufbau struktur möglich mögliche nötig nutzen endgültig bedeutung januar februar märz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag steckt drin enthalten enthält umfasst grund öffentlich öffentliche veröffentlichte verfügbar existieren vorhanden insgesamt aktuell zurzeit momentan einer eins zwei wieder selbst selber lieber liebes guten morgen abend hey hi servus grüß
  `),
  ja: list(`
    言い張る 賭け 喧嘩 通常 ふつう 一般的 文 一言 姉 妹 兄 弟 甥 姪 上司 同僚 選択肢 値 形式 定義 リンク 構造 指定 最終 対応 質問 回答 説明 確認 理解 必要 場合 場所 時 時間 今 現在 今日 最近 実際 具体的 詳しく 詳細 簡単 一般 普通 基本 本当 特に 例 例えば 全部 全て すべて
    お願い 知りたい 教え 教えて 分かる わかる 分から 聞く 聞きたい 思う 考える 言う 呼ぶ 見る 見たい 見つける 探す 使う 使える 使い方 利用 する しよう やる
    もらう もらえる くれる いただく 返す 返る 返っ 返さ 出る 出す 出 来る 来 行く 入る 入れる 付く 付ける 送る 送れ 受け取る 受ける 渡す 持つ 書く 読む 違う
    クライアント プログラム スクリプト 開発 開発者 実装 連携 サービス 製品 アプリ システム 名前 リスト 一覧 方法 やり方 仕方 意味 理由 目的 内容 種類 もの こと
    どれくらい どのくらい どれぐらい どうすれば どうやって どんな どういう どうして なぜ いつ どこ だれ なん もし それ これ あれ ちなみに すみません すいません ちょっと
    けど けれど だけど から ので ため とき ところ ほど くらい ぐらい だけ しか ばかり まで など とか って かな かしら でしょう ください 下さい ほしい たい
    可能 不可能 大丈夫 良い いい 悪い 正しい 正確 一つ 1つ 二つ 複数 最初 最後 次 前 後 中 間 上 下 自分 私 僕 俺 人 皆 みんな 友達
  `),
}

export const isFiller = (language: Language, term: string): boolean => FILLER[language].has(term)

/**
 * Words that say how something is asked rather than what about. A passage that has them fits a little better; one that
 * lacks them fits no worse, and nobody searches the community for them.
 */
const VAGUE: Record<Language, ReadonlySet<string>> = {
  en: list(`
    able after ago allow allowed allows always away bad big bit coming community currently day days during else even far gets give go goes
    going gone good happen happens hold keep largest later let lets long longer look lot lots maybe mean means moment
    new next ok part people person place platform point possible pretty put run running second site soon stuff support
    supported supports talk today tonight total totally try useful vitrine week whole work worth yesterday folks peeps everyone
    currently made around overall ever recommend suggest interesting fun cool popular world browse browsing explore
  `),
  es: list(`
    comunidad tiempo tiempos total gente personas momento hoy ayer semana ahora actualmente permite permiten deja dejar pasa pasar sirve sirven sitio
    plataforma bueno buena buenos grande mayor largo después luego antes sigue ver existe existen
    interesante divertido vitrine mundo hechas hechos hecho posible vale merece pena soporta admite
  `),
  de: list(`
    community insgesamt zeit zeiten leute personen moment heute gestern woche gerade aktuell derzeit momentan lässt lassen erlaubt passiert geht gehen
    seite plattform gut gute gutes groß größte größtes lang lange danach vorher sehen existiert existieren interessant lustig vitrine
    welt öffentlich gemacht möglich lohnt unterstützt unterstützen bestes beste besten jetzt
  `),
  ja: list(
    'コミュニティ 多い 多く 高い 一番 最も もっとも 人たち 全体 合計 今 現在 今日 昨日 今週 今月 サイト みんな 面白い おもしろい 良い いい 可能 使う 見る 全部 どんな いくつ 場合',
  ),
}

/** Whether a word, as the search sees words, is one of them, or one of them with a slip. */
export function isVague(language: Language, term: string): boolean {
  const words = VAGUE[language]
  if (words.has(term)) return true
  if (language === 'ja' || term.length < 7) return false
  return [...words].some((word) => word.length > 6 && word[0] === term[0] && editDistance(term, word, 1) <= 1)
}
