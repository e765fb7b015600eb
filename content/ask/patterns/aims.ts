import type { Language } from '../../../src/ask/languages.js'

/** What a text asks for, by its form alone. All are matched against the text in lower case. */
export interface AimPatterns {
  /** Asks for a fact, a text or repairs: creations that share its words are no answer. */
  fact: RegExp
  /** Says that something is looked for, in whatever form. */
  wish: RegExp
  /** The same, and that it is a thing: "something for". */
  thing: RegExp
  /** Asks what one can do, which creations may help with. */
  advice: RegExp
  /** Begins like any other question. */
  question: RegExp
  /** Greetings, thanks and the words around a wish, which are not what is looked for. */
  talk: RegExp
}

export const AIMS: Record<Language, AimPatterns> = {
  en: {
    fact: /^(?:do i (?:need|have) to\b|how (?:do|does|did|can|could|would|to)\b|how (?:many|much|tall|old|far|deep|heavy|high|long|often|big)\b|do you (?:sell|offer|ship|support|accept)\b|what(?:'?s| is| are) the (?:best|meaning)\b|(?:please )?(?:write|tell|translate|sing|draw)\b(?: me)?(?: an?\b)?|(?:give|gimme)(?: me)? the\b|(?:an? )?recipe (?:for|of)\b)|\bnear(?:by| me)\b|\b(?:price|cost)s?\b|\bversions? (?:of|for)\b|\bkeeps? (?:saying|showing|crashing|failing)\b|\b(?:is|are) (?:broken|down)\b|\b(?:doesn'?t|not|won'?t) work\w*|\berror\b/,
    wish: /\b(?:is|are) there (?:any|some|an?)\b|\b(?:i|we) (?:want|need|would like)\b|\bi'd like\b|\blooking for\b/,
    thing: /\b(?:any|some)thing\b/,
    advice: /\b(?:what|which|where|how|when)?\s*(?:can|could|should|shall|may) (?:i|we|one|you)\b|\bwhat helps\b/,
    question:
      /^(?:and |so |but |ok |hey )?(?:who(?:'?s|se|m)?\b|what(?:'?s|s)?\b|which\b|when\b|where(?:'?s)?(?: (?:is|are|was|do|does|did|can|could|should|would|will|has|have))\b|why\b|how\b|is\b|are\b|was\b|were\b|do\b|does\b|did\b|will\b|would\b|can\b|could\b|should\b|has\b|have\b)/,
    talk: /\b(?:good (?:morning|afternoon|evening|day)|hello|hi|hey|thanks(?: a lot)?|thank you(?: very much)?|please)\b[\s,!.]*|\b(?:is|are) there (?:any(?:thing)?|some(?:thing)?|an?)\b|\bdo you (?:have|know)\b|\b(?:i am|i'm|we are|we're) looking for\b|\b(?:recommend|suggest)(?: me)?\b|\bhelp me\b/g,
  },
  de: {
    fact: /^(?:wie (?:\p{L}+ )?(?:ich|man)\b|wie ?(?:viele?|gro(?:ß|ss)|hoch|alt|weit|tief|schwer|lange|oft|teuer|spät)(?!\p{L})|verkauft ihr|(?:bitte )?(?:erzähl|schreib|übersetz|sing)\p{L}*|(?:ein )?rezept (?:für|von)(?!\p{L}))|in (?:der|meiner) nähe|(?<!\p{L})(?:preis|kosten|kostet)(?!\p{L})|version (?:von|für)|funktioniert nicht|(?:ist|sind) kaputt/u,
    wish: /(?<!\p{L})(?:ich|wir) (?:h[aä]tten?|w[aä]ren?|suchen?|brauchen?|m[oö]chten?|wollen?|will)(?!\p{L})|habt ihr/u,
    thing: /(?<!\p{L})(?:et|irgend)?was(?=,? (?:das|womit|wof[uü]r|mit|zu|zum|zur|f[uü]r|gegen|[uü]ber)(?!\p{L}))/u,
    advice: /(?<!\p{L})(?:kann|könnte|soll|sollte|darf|braucht|muss|mache?) (?:ich|man|wir)(?!\p{L})|was (?:braucht man|hilft)(?!\p{L})/u,
    question:
      /^(?:und |aber |also )?(?:wer|wen|wem|wessen|was|wie|wo|wann|warum|wieso|weshalb|woher|wohin|welche[rsnm]?|in welche[rsnm]?|ist|sind|war|hat|haben|kann|können|wird|werden|darf|muss|soll|regnet|gibt es)(?!\p{L})/u,
    talk: /(?<!\p{L})(?:guten (?:morgen|tag|abend)|hallo|moin|servus|danke(?: schön)?|vielen dank|bitte)(?!\p{L})[\s,!.]*|(?<!\p{L})(?:gibt es|habt ihr|kennt ihr)(?: vielleicht)?(?: (?:was|etwas|irgendwas|eine?n?))?(?!\p{L})|(?<!\p{L})(?:ich|wir) (?:suche|suchen|brauche|brauchen)(?!\p{L})/gu,
  },
  es: {
    fact: /^¿?(?:c[oó]mo (?:se|puedo|hago|hacer)(?!\p{L})|cu[aá]nt[oa]s?(?!\p{L})|vend[eé]is(?!\p{L})|(?:cu[eé]nta|escr[ií]be|trad[uú]ce|di)me(?!\p{L})|(?:una )?receta de(?!\p{L}))|cerca de (?:m[ií]|aqu[ií])(?!\p{L})|(?<!\p{L})(?:precio|coste|cuesta)s?(?!\p{L})|versi[oó]n(?:es)? (?:de|para)|no funciona/u,
    wish: /(?<!\p{L})(?:busco|buscamos|quiero|queremos|necesito|necesitamos|quisiera|me gustar[ií]a)(?!\p{L})/u,
    thing: /(?<!\p{L})algo (?:para|con|de|sobre|que)(?!\p{L})/u,
    advice: /(?<!\p{L})(?:puedo|podemos|se puede|debo|deber[ií]a|tengo que)(?!\p{L})/u,
    question:
      /^(?:¿|(?:y |pero |entonces )?(?:(?:a|de|en|con|por|para) )?(?:qu[eé]|qui[eé]n(?:es)?|cu[aá]l(?:es)?|cu[aá]ndo|cu[aá]nt[oa]s?|d[oó]nde|c[oó]mo|por qu[eé]|va a)(?!\p{L}))/u,
    talk: /(?<!\p{L})(?:buen[oa]s (?:d[ií]as|tardes|noches)|hola|(?:muchas )?gracias|por favor)(?!\p{L})[\s,!.]*|(?<!\p{L})(?:hay|ten[eé]is|tienes|conoc[eé]is) (?:algo|alg[uú]n|algun[oa]s?)(?!\p{L})|(?<!\p{L})(?:busco|buscamos|necesito|quisiera)(?!\p{L})/gu,
  },
  ja: {
    fact: /の作り方(?:は|を)?|のレシピ(?:は|を)?$|近く(?:の|に|で)|(?:価格|値段|料金)|(?:版|バージョン)は?あり|おすすめの.+は[?？]?$|動かない|壊れ/u,
    wish: /(?:たい|ほしい|欲しい)(?:です)?[。]?$/u,
    thing: /(?:もの|やつ)(?:は|が)?(?:あり|ない)/u,
    advice: /(?:すれば|したら|どうしたら)(?:いい|よい)/u,
    question:
      /(?:何時|何人|何歳|いくら|どこ|誰|だれ|いつ|なぜ|どっち|どちら)|は[?？。]?$|(?:教えて|おしえて)(?:ください|下さい)?[?？。]?$|なぜ/u,
    talk: /すみません、?|こんにちは、?|お願いします|ありがとう(?:ございます)?|(?:もの|やつ|アプリ)?(?:は|が)(?:ありますか|ありませんか|ないですか)|(?:を|が)?(?:知りたい|探しています|ほしい|欲しい)(?:です)?/gu,
  },
}
