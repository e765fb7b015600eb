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
