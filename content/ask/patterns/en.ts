import type { QuestionPatterns } from '../../../src/ask/parse/patterns.js'

export const en: QuestionPatterns = {
  sorts: [
    [
      'remixed',
      /most[- ](\w+ )?(remix|fork|copi|reus)\w*|(remix|fork)(ed)? (the )?most( often)?|most remixes|(remixed|forked) more than|top remixed|highest (number of )?remix\w*/,
    ],
    [
      'liked',
      /(most|best|top|highest|better|well)[- ](liked|loved|rated|hearted|favou?rited|beloved|appreciated|upvoted|praised)|(liked|loved|hearted|like|love) (the )?most|most (\w+ )?(likes|hearts|love|upvotes|thumbs)|highest (like|rating|number of likes)\w*|favou?rites?|most belov\w*|beloved/,
    ],
    [
      'recent',
      /\bnew(est|ly|er)?\b|latest|recent(ly)?|fresh(est|ly)?|just (published|released|came out|dropped|landed|appeared|added|out)|(last|lately) (published|added|released|uploaded|made|created)|brand[- ]new|added last|published last|what came out|most current|came in last/,
    ],
    [
      'popular',
      /most[- ](\w+ )?(played|used|opened|launched|run|tried|visited)|(played|used|opened|launched|play|use) (the )?most|most (\w+ )?plays|highest (number of )?plays|popular(ity)?|most played|play count|most plays|biggest hit/,
    ],
    [
      'trending',
      /trend\w*|\bhot(test)?\b|viral|buzz\w*|what'?s (up|cool|hip|happening|big|good|poppin\w*)\b|right now|\brn\b|blowing up|taking off|on fire|rising|all the rage|in vogue|everyone('s| is) (playing|using|talking)|(people|ppl|everyone|everybody|folks|all)\b.*\b(playing|into|using|doing|talking)|\bhyped?\b|\blit\b|going around/,
    ],
    ['liked', /\b(best|greatest|finest|coolest|nicest)\b|\btop\b(?![- ](score|player|tag|up))/],
  ],
  kinds: [
    ['game', /\bgames?\b/],
    ['tracker', /\btrackers?\b/],
    ['widget', /\bwidgets?\b/],
    ['experience', /\bexperiences?\b/],
  ],
  creations:
    /\b(apps?|applications?|creations?|things?|thing(y|ies)|thingamajigs?|stuff|projects?|items?|pieces?|entries|builds?|works?|ones?|content|posts?)\b/,
  intents: [
    [
      'tags',
      /\b(hash)?tags\b|\b(which|top|popular|used|common|commonest|frequent|favou?rite|biggest|most|what|leading|no\. ?1|number one) (hash)?tag\b|(hash)?tag (is|has|gets|appears|that)\b.*\b(most|often|common|popular|top|number one|first)/,
    ],
    [
      'leaderboard',
      /leader ?boards?|(high|top|best|record|highest|winning|max\w*) ?-?scor\w*|top (players?|spot)|\brecords?\b|\bscores?\b|scored|\bwho('?s| is| has| was|s)?\b.*\b(leads?|leading|winning|ahead|in front|first|on top|lead|number one|no\.? ?1|champion|champ|best|top|highest|points)\b.*(\b(in|at|of|on|for)\b|◇)|\bnumber (one|1|two|2)\b|#1\b|(first|second|third|1st|2nd|3rd) place|\branks?\b|rankings?|ranked|best player|most points|champions?\b|who (leads|beats|wins|won|tops)|winner/,
    ],
    [
      'following',
      /followed by ◇|\bwhom?\b.*\b(does|do|did)\b.*\bfollow\b|\bwhom?\b.*\b(is|are) \S+( \S+)? following\b|(does|do|did) (◇|he|she|they|\S+( \S+)?) follow\b|\bfollowing\b(?! (◇|him|her|them|this))(?<!(who|who is|who's|people|many) following)|(◇|she|he|they) (is |are )?follow(s|ing)?\b/,
    ],
    [
      'followers',
      /\bfollowers?\b|follow(s|ing|ed)? (◇|him|her|them|@)|\b(who|people|many)\b.*\b(follows?|following)\b|\bfans\b|subscribers|audience/,
    ],
    [
      'remixes',
      /remix(es|ed versions?)? ((are|do) (there|we have|exist|you have)|exist|have been made|were made|did people make|have people made)? ?(of|from|for) ◇|remixed from|(who|what|which|anyone|anybody|someone|somebody|people|everyone)\b.*\bremix(ed|es)? (of )?(◇|it\b)|has (anyone|anybody|someone) remixed|remixed by|(derived|based|built|forked|made) (from|on|off|out of) (◇|it\b)|(forks?|variations?|versions?|spin-?offs?|derivatives?) of ◇|◇('s)? remixes|remixes (does|has|did|of) (◇|it)|(who|what) remixed|remixes of/,
    ],
    [
      'made',
      /\b(made|built|created|published|done|make|makes|posted|released|produced|shipped|developed|uploaded|designed)\b|(apps?|games?|creations?|stuff|things?|works?|projects?|trackers?|widgets?) (of|by|from|does|has)|◇('s|s'|’s)? (\w+ )?(apps?|games?|creations?|stuff|things|works?|projects?|portfolio|trackers?|widgets?)|portfolio|catalog(ue)?/,
    ],
    ['count', /how (many|much)|number of|count of|\bcount\b|amount of|total (number|of|apps|creations|games)|how big/],
    ['categories', /\bcategor(y|ies)\b|\b(sections|genres|topics) (are|do|exist)\b/],
  ],
  tagged:
    /(?:\btagged(?: with| as| by)?|\b(?:with|under|have|has|having|carry|carries|carrying|use|uses|using)(?: the)? (?:hash)?tag\b(?: called| named)?|\b(?:the )?(?:hash)?tag\b(?! (?:is|has|gets|that|do|does|are|appears|with|on)\b)(?: called| named)?|#)\s*["'“#]*(.+)/,
  tagBefore: /(?<![\p{L}\p{N}-])([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?)["'”]*[- ](?:hash)?tag(?:ged)?\b/u,
  inCategory: /\b(?:in|within|from|under|category|for|about|of|on|around)\s+(?:the\s+)?(?:category\s+)?["'“]?(.+)/,
  featured:
    /featured|spotlight\w*|editor'?s?'? (picks?|choices?)|editors (pick|chose|like|recommend)\w*|hand-?picked|curated|recommended|staff picks?|highlighted/,
  remixes: /\bremix(es|ed)?\b/,
  search:
    /\b(?:is|are) there (?:an?y?|some)\b|\b(?:find|search|searching|looking|look|recommend|suggest|want|need)\b(?: me)?(?: for)?|\bany(?:thing|one)?\b.*\b(?:for|about|with|on|to do with)\b|\bshow me\b|\bgot any(?:thing)?\b|\bdo(?:es)? (?:you|anyone|anybody|somebody) (?:have|got)\b|\banything (?:on|about|for|with)\b|\bsomething (?:for|about|with|on|to)\b|\bhelps?(?: me)? (?:with|to)\b/,
  who: /\bwho(?:'?s| is| are|s)\b\s*(.*)/,
  about:
    /\b(?:about|what is|what'?s|whats|describe|info on|details (?:on|of|about)|who (?:made|built|created|published|did|wrote|developed|designed)|leaderboard (?:of|for|in)|remixes of|remixed|likes (?:has|does|did|for|of)|plays (?:has|does|did|for|of)|when (?:was|did)|(?:scores?|record|player|leads|leading|winning|best|first|one|top) (?:in|of|for|at|on))\s+(.+)/,
  maker:
    /\bwho(?:'?s| is| has| was|s)?\b.*\b(?:made|makes|built|created|published|behind|wrote|developed|designed|did|came up with|authored|responsible)\b|\b(?:maker|author|creator|developer|inventor) of\b|\bmade by whom?\b|\bwhose (?:app|game|creation|work|is)\b|\bby whom\b|\bwho(?:'?s| is) the (?:maker|author|creator|developer)\b/,
  origin:
    /\boriginal(ly)?\b|\b(is|was|are) (it|this|that|◇)\b.*\b(remix(ed)?|fork(ed)?|copy|copied|based|derived)\b|\bremix(ed)? (of|from) (what|which|whose|whom|another|somebody|someone|something|other)\b|what (is|was|did) ◇ .*\b(based on|made from|built on|remix\w*|come from|fork\w*)\b|◇ .*\b(based on|remix of|remixed from|derived from) (what|which|another|somebody|someone|something|anything)\b/,
  comparison:
    /\bvs\.?\b|\bversus\b|\bcompar(?:e|ed|ing|ison)\b|\b(?:more|less|better|worse|bigger|higher|fewer|older|newer) (?:\w+ )?(?:than|or)\b|\bdifference between\b|\b(?:which|who) (?:one )?(?:is|has|got|of (?:the two|them)) .*\bor\b|\bbeat\b.*\bor\b|◇,? or\b/,
  creatorsInGeneral:
    /\b(creators?|users?|makers?|members?|authors?|developers?|accounts?|profiles?|builders?)\b(?! of)|\bwho has the most\b|most (followed|followers)|followed most/,
  ranking: /\b(most|biggest|top|first|oldest|largest|highest|least|best|newest)\b/,
  notPublic:
    /\bwho (all )?(has |have )?(liked|likes|loved|loves|hearted|played|plays|viewed|commented)\b|\b(earn(ed|s|ing)?|income|money|profits?|downloads?|comments?|reviews?)\b.*◇|◇.*\b(earn(ed|s|ing)?|income|money|profits?|downloads?|downloaded|comments?|reviews?)\b/,
  notAName:
    /^(follow\w*|fans?|made|make|makes|built|build|creat\w*|publish\w*|post\w*|releas\w*|apps?|games?|trackers?|widgets?|experiences?|projects?|stuff|things?|works?|portfolio|else|list|count|number|total|maker|author|user|creator|profile|likes?|plays?|remix\w*|joined|join|member|since|bio|account|person|guy|handle|liked|popular|newest|latest|recent)$/,
  howItWorks:
    /\bhow (do|does|is|are|can|to|should|long|often|come|would|might|must|shall)\b(?!.*[@◇])|\bwhat does\b.*\bmean|\bmeaning\b|algorithm|endpoint|\bapi\b|parameter|\bheader|\bhttp|\bjson\b|\bmcp\b|webhook|pric(e|ing)|\bcosts?\b|credits?|subscri\w+|\bplans?\b|\btiers?\b|\bversion\b|\blimits?\b|requests?\b|sort (order|value|option)s?|\bbatch\b|\bwhat is (a|an|the) (remix|tag|category|widget|tracker|feed|landing)\b|\b(does|do|did|how|it|this|that|will)\b.*\bwork\b|calculated|computed|\b(can'?t|can|cannot|may|might|should|must|shall|could) (i|we|you|my|an?|the)\b(?!.*\b(show|tell|find|recommend|list|give)\b)|^why\b|\bpossible\b|\bpublish (an?|my)\b|\btools\b|\b(page|items|results|entries) per\b|per page|\bpages?\b|\bfields?\b|\bparams?\b|\bstatus\b|\bcode\b|\bprofiles?\b/,
  followUp:
    /^(and|what about|how about|ok and|also|same|then|but|or)\b|\b(they|them|their|he|him|his|she|her|hers|it|its|those|these|that one|this one)\b/,
}
