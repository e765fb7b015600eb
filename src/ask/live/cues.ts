import type { Sort } from '../../../readmodels/feed/documents.js'
import type { Kind } from '../../events/index.js'
import type { Language } from '../languages.js'
import type { Topic } from './slots.js'

/** Words that give a live question away, per language. Matched against the question in lower case. */
export interface Cues {
  sorts: readonly [Sort, RegExp][]
  kinds: readonly [Kind, RegExp][]
  /** Any creation, whatever its kind. */
  creations: RegExp
  topics: readonly [Topic, RegExp][]
  /** What follows is a tag; what stands before it, in Japanese. */
  tagged: RegExp
  /** What follows is a category. */
  within: RegExp
  featured: RegExp
  remixes: RegExp
  /** Asks for something that exists: what follows is to be searched. */
  search: RegExp
  who: RegExp
  about: RegExp
  /** Asks who made something. */
  maker: RegExp
  /** A word about people and what they do: no part of a name. */
  asking: RegExp
  /** Asks how something works or what it costs rather than what is there. */
  explain: RegExp
  /** Only understood with the question before it. */
  follows: RegExp
}

export const CUES: Record<Language, Cues> = {
  en: {
    sorts: [
      ['remixed', /most[- ]remix\w*|remixed (the )?most|most remixes/],
      ['liked', /(most|best|top|highest)[- ](liked|loved|rated)|liked most|most (likes|hearts)|favou?rites?|\bbest\b/],
      ['recent', /\bnew(est)?\b|latest|recent(ly)?|fresh|just (published|released|came out)|what'?s new/],
      ['popular', /most[- ]played|most plays|popular|played most/],
      ['trending', /trend\w*|\bhot(test)?\b|viral|what'?s (up|cool|hip)|right now/],
    ],
    kinds: [
      ['game', /\bgames?\b/],
      ['tracker', /\btrackers?\b/],
      ['widget', /\bwidgets?\b/],
      ['experience', /\bexperiences?\b/],
    ],
    creations: /\b(apps?|creations?|things|stuff|projects?)\b/,
    topics: [
      [
        'leaderboard',
        /leader ?board|high(est)? ?scores?|best scores?|top (scores?|players?)|\brecord\b|who (leads|is leading|is winning|has the (best|highest|top))/,
      ],
      ['following', /\bfollowing\b|\b(who|whom|whose|many|people)\b.*\b(does|do|is|did) .*\bfollow\b/],
      ['followers', /\bfollowers?\b|(who|people|many) follows?\b|follows? (him|her|them)|\bfans of\b/],
      ['remixes', /remix(es)? of|(who|what|has anyone|anybody) remixed|remixed by/],
      ['made', /\b(made|built|created|published|done|make)\b(?!.*\?*$^)|(apps?|games?|creations?|stuff|things|work) (of|by|from)/],
      ['count', /how (many|much)|number of|count of|\bcount\b/],
      ['tags', /\b(hash)?tags\b|\b(which|top|popular|used) (hash)?tag\b/],
      ['categories', /\bcategor(y|ies)\b.*\b(are|there|exist|available|list|have)\b|(what|which|list|all|the) categories/],
    ],
    tagged: /(?:\btagged(?: with| as)?|\bwith(?: the)? tag|\bunder(?: the)? tag|\bhave(?: the)? tag|\b(?:the )?tag|#)\s*["'“#]*(.+)/,
    within: /\b(?:in|within|from|under|category|for|about)\s+(?:the\s+)?(?:category\s+)?["'“]?(.+)/,
    featured: /featured|spotlight|editor'?s? (picks?|choice)|recommended|staff picks?/,
    remixes: /\bremixes\b|\bremix\b/,
    search:
      /\b(?:is|are) there (?:an?y?|some)\b|\b(?:find|search|searching|looking|look|recommend|suggest|want|need)\b(?: me)?(?: for)?|\bany(?:thing)?\b.*\b(?:for|about|with|on)\b|\bshow me\b|\bgot any\b|\bdo you have\b/,
    who: /\bwho(?:'?s| is| are)\b\s*(.*)/,
    about:
      /\b(?:about|what is|what'?s|describe|info on|details (?:on|of|about)|who (?:made|built|created|published)|leaderboard (?:of|for)|remixes of|likes (?:has|does|did|for|of)|(?:scores?|record|player|leads|leading|winning|best|first) (?:in|of|for|at|on))\s+(.+)/,
    maker: /\bwho('?s| is| has)? (made|built|created|published|behind|the (maker|author|creator) of)\b/,
    asking:
      /^(follow\w*|fans?|made|make|built|build|creat\w*|publish\w*|apps?|games?|trackers?|widgets?|experiences?|projects?|else|list|count|number|total|maker|author)$/,
    explain:
      /\bhow (do|does|is|are|can|to|should|long|often|come)\b(?!.*@)|\bwhat does\b.*\bmean|\bmeaning\b|algorithm|endpoint|\bapi\b|parameter|\bheader|\bhttp|\bjson\b|\bmcp\b|webhook|pric(e|ing)|\bcosts?\b|credits?|subscription|\bplans?\b|\btiers?\b|\bversion\b|\blimits?\b|requests?\b|sort (order|value|option)s?|\bbatch\b|\bwhat is (a|an|the) (remix|tag|category|widget|tracker|feed|landing)\b|\bwork\b|calculated|computed|\bcan i\b|\bcan you\b|\bpublish (an?|my)\b|tools\b/,
    follows:
      /^(and|what about|how about|ok and|also|same|then|but|or)\b|\b(they|them|their|he|him|his|she|her|hers|it|its|those|these|that one|this one)\b/,
  },
  es: {
    sorts: [
      ['remixed', /más (remezclad|remix)\w*|más remezclas/],
      ['liked', /más (me )?gust\w*|más likes|más «?me gusta|más querid\w*|favorit\w*|mejor(es)?\b|mejor valorad\w*/],
      ['recent', /nuev[oa]s?|recientes?|últim[oa]s?|novedades|recién/],
      ['popular', /más jugad\w*|más popular(es)?|populares?|más partidas/],
      ['trending', /tendencias?|de moda|trending|popular ahora|triunfa|lo que se lleva|ahora mismo/],
    ],
    kinds: [
      ['game', /\bjuegos?\b/],
      ['tracker', /\btrackers?\b|rastreador(es)?|\bseguimientos?\b/],
      ['widget', /\bwidgets?\b/],
      ['experience', /\bexperiencias?\b/],
    ],
    creations: /\b(apps?|aplicaci(ón|on|ones)|creaci(ón|on|ones)|cosas|proyectos?)\b/,
    topics: [
      ['leaderboard', /clasificaci(ó|o)n|puntuaci(ó|o)n(es)?|récords?|mejor(es)? puntos|quién va (primero|ganando)/],
      ['following', /a qui(é|e)n(es)? sigue|a cu(á|a)nt[oa]s.* sigue|siguiendo|seguid[oa]s/],
      ['followers', /seguidor(es)?|qui(é|e)n(es)? siguen?|siguen a/],
      ['remixes', /remezclas de|remixes? de|quién (ha )?remezcl/],
      ['made', /\b(hecho|hizo|creado|creó|publicado|publicó|construido)\b|(apps|juegos|creaciones|cosas) (de|por)/],
      ['count', /cuánt[oa]s?|cuant[oa]s?|número de|cantidad de/],
      ['tags', /\betiquetas\b|\btags\b/],
      ['categories', /categorías|categorias/],
    ],
    tagged: /(?:etiquetad[oa]s? (?:con|como)?|con (?:la )?etiqueta|con el tag|la etiqueta|\btag|#)\s*["'«“#]*(.+)/,
    within: /\b(?:en|dentro de|de|categoría|para|sobre)\s+(?:la |el |los |las )?(?:categoría (?:de )?)?["'«“]?(.+)/,
    featured: /destacad[oa]s?|recomendad[oa]s?|escaparate/,
    remixes: /\bremezclas?\b|\bremix(es)?\b/,
    search:
      /\bhay (?:algun[oa]?|algún|una?|algo)?|\b(?:busco|buscar|busca|encuentra|encontrar|recomienda|quiero|necesito|muéstrame|muestrame|enséñame)\b|\balguna? (?:app|juego)/,
    who: /\bqui(?:é|e)n(?:es)? (?:es|son)\b\s*(.*)/,
    about:
      /\b(?:sobre|acerca de|qué es|que es|describe|detalles de|quién (?:hizo|creó|ha hecho|publicó)|clasificación de|remezclas de|likes tiene|me gusta tiene|puntuación en)\s+(.+)/,
    maker: /qui(é|e)n (lo |la )?(hizo|creó|creo|ha hecho|ha creado|publicó)/,
    asking: /^(sigue\w*|seguidor\w*|siguen|siguiendo|hecho|hizo|cre\w*|publi\w*|apps?|juegos?|aplicaci\w*|personas?|número|cantidad|más)$/,
    explain:
      /\bc(ó|o)mo\b|significa|algoritmo|endpoint|\bapi\b|parámetro|cabecera|\bhttp|\bjson\b|\bmcp\b|webhook|precios?|\bcuesta|créditos?|creditos?|suscripci|\bplan(es)?\b|versi(ó|o)n|límites?|limites?|peticion|\blotes?\b|qué es un[ao]? (remezcla|remix|etiqueta|widget|tracker)|funciona|se calcula|puedo|herramientas/,
    follows:
      /^(y|e|pero|también|entonces|qué hay de|que hay de|qué tal|o)\b|\b(ella|ellos|ellas|él|suyos?|suyas?|esa|ese|esos|esas|su|sus)\b/,
  },
  de: {
    sorts: [
      ['remixed', /(am häufigsten|am meisten|meist)\s?(abgewandelt|geremixt|remixt)\w*|meisten remixe/],
      ['liked', /beliebtest\w*|meisten (likes|herzen)|am meisten gel(i|ik)\w*|meistgelik\w*|\bbesten?\b|lieblings\w*/],
      ['recent', /\bneue?(s|n|r|ste|sten|stes)?\b|neuigkeiten|aktuellste\w*|jüngste\w*|kürzlich|zuletzt|frisch/],
      ['popular', /meistgespielt\w*|am meisten gespielt|populär\w*|meisten spiel(e|vorgänge)/],
      ['trending', /trend\w*|angesagt|gerade beliebt|beliebt|was geht|was läuft|im kommen/],
    ],
    kinds: [
      ['game', /\bspiele?n?\b/],
      ['tracker', /\btrackern?\b/],
      ['widget', /\bwidgets?\b/],
      ['experience', /\berlebnis(se|sen)?\b/],
    ],
    creations: /\b(apps?|kreation(en)?|dinge|sachen|projekte?)\b/,
    topics: [
      ['leaderboard', /bestenliste|rangliste|highscores?|bestwerte?|punktest(and|ände)|rekorde?\b|wer führt/],
      ['following', /wem folgt|wie ?vielen.* folgt|folgt .* (wem|eigentlich)|gefolgte/],
      ['followers', /\bfollowern?\b|wer folgt|folgen\b/],
      ['remixes', /remixe? von|abwandlungen von|wer hat .* (geremixt|abgewandelt)/],
      ['made', /\b(gemacht|gebaut|erstellt|veröffentlicht|erschaffen)\b|(apps|spiele|kreationen|sachen) von/],
      ['count', /wie ?viele?|anzahl|wieviel/],
      ['tags', /\btags\b|schlagwörter|schlagworte/],
      ['categories', /kategorien/],
    ],
    tagged:
      /(?:mit\s+["'„“#]*(.+?)["'“]*\s+getaggt|(?:getaggt(?: mit| als)?|mit (?:dem )?tag|unter (?:dem )?tag|(?:den |das |der )?tag|#)\s*["'„“#]*(.+))/,
    within: /\b(?:in|bei|unter|aus|kategorie|für|über|zu|zum thema)\s+(?:der |den |dem |die )?(?:kategorie )?["'„“]?(.+)/,
    featured: /empfohlen\w*|empfehlung\w*|hervorgehoben\w*|spotlight|redaktion/,
    remixes: /\bremixe?s?\b|abwandlung(en)?/,
    search:
      /\bgibt(?:'?s| es) (?:eine?|irgendwelche|was|etwas|irgendwas)?|\b(?:suche?|such mir|finde?|empfiehl|empfehle|brauche|möchte|zeig(?:e)? mir|zeig(?:e)?)\b|\birgendwas (?:mit|zu|über)/,
    who: /\bwer (?:ist|sind)\b\s*(.*)/,
    about:
      /\b(?:über|zu|was ist|beschreibe?|wer hat|details zu|bestenliste (?:von|für|bei)|remixe von|likes hat|infos zu)\s+(.+?)(?: (?:gemacht|gebaut|erstellt|veröffentlicht))?$/,
    maker: /\bwer hat\b.*\b(gemacht|gebaut|erstellt|veröffentlicht)|von wem (ist|stammt)/,
    asking:
      /^(folg\w*|follower\w*|gemacht|gebaut|erstellt|veröffentlicht|erschaffen|apps?|spiele?|kreation\w*|sachen|anzahl|sonst|leute\w*)$/,
    explain:
      /\bwie (funktioniert|werden|wird|kann|mache|erstelle|lange|oft|melde|blätter\w*|geht|sende|bekomme|komme)\b|bedeutet|algorithmus|endpunkt|\bapi\b|parameter|\bheader|\bhttp|\bjson\b|\bmcp\b|webhook|preise?|\bkosten|kostet|credits?|\babos?\b|tarife?|version|\blimits?\b|anfragen|\bbatch\b|was ist ein(e)? (remix|tag|widget|tracker)|berechnet|kann (ich|man)|darf|tools\b|gekauft|kaufe?n?\b/,
    follows: /^(und|aber|auch|dann|was ist mit|wie steht|wie sieht|oder)\b|\b(er|ihn|ihm|seine?|ihre?|deren|dessen|davon|dieses?|diese)\b/,
  },
  ja: {
    sorts: [
      ['remixed', /リミックスが(一番|最も|もっとも)?多い|最もリミックス|一番リミックス|リミックス数/],
      ['liked', /いいね(が|の)?(一番|最も|もっとも)?(多い|多かった)|(最も|一番|もっとも)いいね|いいね数|評価の高い|ベスト|一番好かれ/],
      ['recent', /新着|新しい|最新|最近|新作/],
      ['popular', /(最も|一番|よく)(プレイ|遊ば)|プレイ(数|回数)|人気(の|な|が)/],
      ['trending', /トレンド|急上昇|話題|流行|人気|はやって|バズ/],
    ],
    kinds: [
      ['game', /ゲーム/],
      ['tracker', /トラッカー/],
      ['widget', /ウィジェット/],
      ['experience', /体験/],
    ],
    creations: /アプリ|作品|もの/,
    topics: [
      ['leaderboard', /ランキング|ハイスコア|最高得点|スコア|記録|順位/],
      ['followers', /フォロワー|フォローしているのは誰|誰がフォロー/],
      ['following', /誰をフォロー|フォロー中|フォローしている人/],
      ['remixes', /のリミックス/],
      ['made', /作った|作っ(て|た)|作品|公開した|何を作/],
      ['count', /いくつ|何個|何件|何本|いくつ|何人|どれくらい|件数|数は|数を/],
      ['tags', /タグ(は|を|には|の一覧|って)|人気(の)?タグ|タグ一覧|どんなタグ/],
      ['categories', /カテゴリ/],
    ],
    tagged:
      /(?:タグ(?:が|は|に)?\s*[「『"#]?([^」』"のがをはでに付\s]+)[」』"]?|[「『"#]?([^「」『』"、。\s]+?)[」』"]?\s*(?:という|の)?\s*タグ)/,
    within: /([^「」、。\s]+?)(?:カテゴリ(?:ー)?)?(?:の中|で|の|では|は)/,
    featured: /注目|おすすめ|オススメ|ピックアップ/,
    remixes: /リミックス/,
    search: /(?:は)?(?:あります(?:か)?|ある[？?]|ありませんか|探して(?:いる|います)?|ほしい|見せて|探したい)/,
    who: /(.+?)(?:さん)?(?:は|って|とは)(?:誰|だれ|どんな人)/,
    about: /(.+?)(?:について|とは|を作ったのは|の(?:ランキング|リミックス|いいね|作者))/,
    maker: /誰が作|作ったのは(誰|だれ)|を作ったのは|作者/,
    asking: /^(フォロワー|フォロー|誰|何人|何|作|作品|公開|アプリ|ゲーム|人|他|数|教)$/,
    explain:
      /仕組み|計算|アルゴリズム|エンドポイント|api|パラメータ|ヘッダー|料金|値段|クレジット|サブスク|プラン|バージョン|制限|リクエスト|バッチ|mcp|とは何|意味|方法|どうやって|できますか|必要|リミックスとは|ツール|いくら|決まり|購入|買え/,
    follows: /^(では|じゃあ|それでは|あと|それと|ちなみに|そして)|その人|この人|それ(は|の|を)|彼(女)?(は|の)|そちら/,
  },
}
