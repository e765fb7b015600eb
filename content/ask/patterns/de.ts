import type { QuestionPatterns } from '../../../src/ask/parse/patterns.js'

export const de: QuestionPatterns = {
  sorts: [
    [
      'remixed',
      /(am häufigsten|am meisten|meist|öfters?ten|am öftesten)\s?-?(abgewandelt|geremixt|geremixed|remixt|remixed|kopiert)\w*|meisten remixe?s?\b|meistgeremixt\w*|meistremixt\w*/,
    ],
    [
      'liked',
      /beliebtest\w*|meisten (likes|herzen|gefällt)|am meisten (gel(i|ik)\w*|gemocht|geliebt|geschätzt)|meistgel(ik|ie)\w*|lieblings\w*|am besten (bewertet|gefällt|ankommt|angekommen)\w*|bestbewertet\w*|höchstbewertet\w*|gefällt (den leuten |allen )?am (besten|meisten)|kommt am besten an/,
    ],
    [
      'recent',
      /\bneue?(s|n|r|ste|sten|stes|ster)?\b|neuheiten|neuigkeiten|neuerscheinung\w*|aktuellste\w*|jüngste\w*|kürzlich|zuletzt|frisch\w*|gerade (erschienen|veröffentlicht|rausgekommen)|letzte veröffentlichung\w*/,
    ],
    [
      'popular',
      /meist(gespielt|genutzt|benutzt|verwendet)\w*|am (meisten|häufigsten|öftesten) (gespielt|genutzt|benutzt|verwendet|gezockt|aufgerufen)|populär\w*|meisten (spielvorgänge|aufrufe|plays|spiele\b)|am meisten plays|häufigsten gespielt|wird am meisten/,
    ],
    [
      'trending',
      /trend\w*|angesagt\w*|gerade beliebt|beliebt\w*|was geht|was läuft|im kommen|\bhot\b|heiß\w*|\bviral\w*|gehypt\w*|der renner|abgeht|in mode|hoch im kurs/,
    ],
    ['liked', /\bbeste[nrs]?\b|\btop\b/],
  ],
  kinds: [
    ['game', /\b\w*spiele?n?\b|\bgames?\b/],
    ['tracker', /\btrackern?\b/],
    ['widget', /\bwidgets?\b/],
    ['experience', /\berlebnis(se|sen)?\b/],
  ],
  creations: /\b(apps?|anwendung(en)?|kreation(en)?|dinge?|dinger?|sachen|projekte?n?|werke?n?|zeugs?|beiträge|einträge)\b/,
  intents: [
    [
      'tags',
      /\b(hash)?tags\b|schlagwörter|schlagworte|(welcher|welches|häufigste[rs]?|meistgenutzte[rs]?|beliebteste[rs]?|meistverwendete[rs]?|top-?) ?-?(tag|schlagwort)\b|(tag|schlagwort) .*am (häufigsten|meisten)/,
    ],
    [
      'leaderboard',
      /bestenliste|rangliste|high-?scores?|bestwerte?|bestmarke|punktest(and|ände)|punktzahl(en)?|rekorde?\b|rekordhalter\w*|wer (führt|liegt|ist|hat|steht)\b.*(führt|vorn\w*|erste[rn]?|spitze|platz|beste|meisten punkte|nummer|rekord|höchst)|\bführt\b|nummer (eins|1)|platz (eins|1|zwei|2)|höchste punkt\w*|meisten punkte|spitzenreiter|anführer|ranking|bester spieler|wer gewinnt/,
    ],
    ['following', /wem folgt|wie ?vielen.* folgt|folgt .* (wem|eigentlich)|gefolgte|folgt ◇|(◇|er|sie) folgt|wem .*folgen/],
    ['followers', /\bfollowern?\b|\bfollowerzahl|wer folgt|folgen\b|folgt (◇|ihm|ihr)|fans\b|anhänger/],
    [
      'remixes',
      /remixe?s? ((gibt es|existieren|wurden)( \w+)? )?(von|zu|aus|hat) ◇|abwandlungen (von|zu)|wer hat .*(geremixt|geremixed|remixt|abgewandelt)|(basier|beruh)\w* auf ◇|aus ◇ (gemacht|entstanden|gebaut)|versionen von ◇|ableger|◇ (wurde )?(geremixt|abgewandelt)|remixe? von/,
    ],
    [
      'made',
      /\b(gemacht|gebaut|erstellt|veröffentlicht|erschaffen|gebastelt|entwickelt|programmiert|herausgebracht|rausgebracht|produziert)\b|(apps|spiele|kreationen|sachen|projekte|werke|tracker|widgets|app|kreation) (von|hat)|von ◇/,
    ],
    ['count', /wie ?viele?n?\b|anzahl|gesamtzahl|wieviele|zahl der/],
    ['categories', /kategorien|welche kategorie|kategorie hat|rubriken/],
  ],
  tagged:
    /(?:mit\s+(?:dem tag\s+)?["'„“#]*(.+?)["'“]*\s+(?:getaggt|versehen|markiert)|(?:getaggt(?: mit| als)?|(?:mit|unter|haben|tragen|hat|trägt) (?:dem |das |den )?(?:tag|schlagwort)|(?<!\b(?:jede[nmrs]?|ganze[nr]?|diese[nmrs]?|eine[nmr]?|pro|am|guten|schöne[nr]|letzten|nächsten|selben) )(?:den |das |der )?(?:tag|schlagwort)\b(?! (?:wird|ist|war|hat|kommt|am|mit|kommen|ein|zu|so)\b)|#)\s*["'„“#]*(.+))/,
  tagBefore: /(?<![\p{L}\p{N}])([\p{L}\p{N}]+)["'“]*[- ]tags?\b/u,
  inCategory:
    /\b(?:in|im|bei|unter|aus|kategorie|für|über|zu|zum|beim|zum thema|von)\s+(?:der |den |dem |die |das )?(?:kategorie |bereich |thema )?["'„“]?(.+)/,
  featured: /empfohlen\w*|empfehlung\w*|hervorgehoben\w*|spotlight|redaktion\w*|ausgewählt\w*|featured|handverlesen\w*/,
  remixes: /\bremixe?s?\b|abwandlung(en)?/,
  search:
    /\bgibt(?:'?s| es)? (?:hier |da |denn )?(?:eine?n?|irgendwelche|was|etwas|irgendwas|irgendetwas)?|\b(?:suche?|such mir|finde?|empfiehl|empfehle|empfehlt|brauche|möchte|zeig(?:e)? mir|zeig(?:e)?)\b|\birgendwas (?:mit|zu|über|für)|\b(?:et)?was (?:mit|zu|über|für)\b|\bhabt ihr (?:was|etwas|eine?n?)\b/,
  who: /\bwer (?:ist|sind|war)\b\s*(.*)/,
  about:
    /\b(?:über|zu|was ist|beschreibe?|wer hat|details zu|infos? (?:zu|über)|wann (?:wurde|kam|ist)|bestenliste (?:von|für|bei|in)|remixe von|likes hat|(?:führt|vorn|erster|rekord|punktzahl|highscore|eins) (?:in|bei|von))\s+(.+?)(?: (?:gemacht|gebaut|erstellt|veröffentlicht|erschienen|raus))?$/,
  maker:
    /\bwer hat\b.*\b(gemacht|gebaut|erstellt|veröffentlicht|entwickelt|programmiert|erfunden|gebastelt)|von wem (ist|stammt|wurde|kommt)|\bwer (steckt|steht) hinter|(macher|macherin|autor|autorin|urheber|entwickler|schöpfer)\w* von|wer ist der (macher|autor|entwickler)/,
  origin:
    /\boriginal\b|(ist|war|wurde) (es|das|sie|◇)\b.*\b(remix|geremixt|abgewandelt|kopie|kopiert|abgeleitet)|(worauf|auf was|auf welche\w*)\b.*(basier|beruh)|wovon .*(remix|abgewandelt|abgeleitet)|remix von (was|welche\w*|wem|etwas)|woraus .*(gemacht|entstanden)/,
  comparison:
    /\bvs\.?\b|\bversus\b|vergleich\w*|\b(mehr|weniger|besser|schlechter|größer|kleiner|neuer|älter|beliebter)( \S+)? (als|oder)\b|unterschied zwischen|welche[rs]? von (beiden|den beiden)|◇,? oder\b/,
  creatorsInGeneral:
    /\b(creators?|nutzer(innen|in)?|benutzer|mitglied(er)?|autor(en|in)?|ersteller|macher|profile|konten)\b(?! von)|meisten follower|meistgefolgt\w*|wer hat (die meisten|am meisten)/,
  ranking: /\b(meiste[nr]?|größte[nr]?|erste[nr]?|älteste[nr]?|beste[nr]?|top|am)\b/,
  notPublic:
    /wer hat .*(geliked|gelikt|geliket|gespielt|kommentiert)|wem (gefällt|gefallen) ◇|(geld|einnahmen|verdient|downloads|kommentare|bewertungen).*◇|◇.*(geld|einnahmen|verdient|downloads|heruntergeladen|kommentare|bewertungen)/,
  notAName:
    /^(folg\w*|follower\w*|gemacht|gebaut|erstellt|veröffentlicht|erschaffen|gebastelt|entwickelt|apps?|spiele?|kreation\w*|sachen|projekte?|werke?|anzahl|sonst|leute\w*|nutzer\w*|profil|seit|likes?|plays?|remixe?|beliebt\w*|neu\w*|insgesamt|dabei)$/,
  howItWorks:
    /\bwie (funktioniert|werden|wird|kann|mache|erstelle|lange|oft|melde|blätter\w*|geht|sende|bekomme|komme|sieht|muss|soll|frage|rufe)\b|bedeutet|algorithmus|endpunkt|\bapi\b|parameter|\bheader|\bhttp|\bjson\b|\bmcp\b|webhook|preise?|\bkosten|kostet|credits?|\babos?\b|tarife?|version|\blimits?\b|anfragen|\bbatch\b|was ist ein(e)? (remix|tag|widget|tracker)|berechnet|kann (ich|man)|darf|tools\b|gekauft|kaufe?n?\b|pro seite|\bseiten?\b|\bfelder?\b|\bstatus\w*|\bcode\b|standardmäßig|abfragen?\b/,
  followUp: /^(und|aber|auch|dann|was ist mit|wie steht|wie sieht|oder)\b|\b(er|ihn|ihm|seine?|ihre?|deren|dessen|davon|dieses?|diese)\b/,
}
