import type { QuestionPatterns } from '../../../src/ask/parse/patterns.js'

export const es: QuestionPatterns = {
  sorts: [
    [
      'remixed',
      /más (veces )?(remezclad|remix|versionad|copiad)\w*|más remezclas|más remixes|(remezcla|remezclan|versiona)\w* más|más se (remezcla|remixea|versiona)/,
    ],
    [
      'liked',
      /más (me )?gust\w*|(gusta|gustan|gustado|gustó) más|más likes|más «?"?me gusta|más (querid|valorad|amad|votad|apreciad)\w*|más corazones|favorit\w*/,
    ],
    [
      'recent',
      /nuev[oa]s?\b|novedad(es)?|recientes?|recientemente|últim[oa]s?|ultim[oa]s?|recién|acaba(n)? de (salir|publicar)|más fresc[oa]s?|más actual(es)?/,
    ],
    [
      'popular',
      /más (jugad|usad|utilizad|ejecutad|probad)\w*|más (se )?(juega|juegan|usa|usan)|(se )?(juega|juegan|usa) más|más popular(es)?|populares?|popularidad|más partidas|más reproduc\w*/,
    ],
    [
      'trending',
      /tendencias?|de moda|trending|popular ahora|triunfa\w*|lo que se lleva|se lleva ahora|ahora mismo|lo que (lo )?peta|viral(es)?|de actualidad|está pegando|en boga|más caliente|qué se cuece/,
    ],
    ['liked', /mejor(es)?\b(?! puntu)|\btop\b/],
  ],
  kinds: [
    ['game', /\bjuegos?\b/],
    ['tracker', /\btrackers?\b|rastreador(es)?|\bseguimientos?\b|registros?\b/],
    ['widget', /\bwidgets?\b/],
    ['experience', /\bexperiencias?\b/],
  ],
  creations:
    /\b(apps?|aplicaci(ón|on|ones)|creaci(ón|on|ones)|cosas?|cositas?|proyectos?|obras?|trabajos? publicados?|elementos?|publicaciones)\b/,
  intents: [
    [
      'tags',
      /\betiquetas\b|\btags\b|\b(qué|que|cuál|cual|la) (es la )?(etiqueta|tag) (más|mas|que más|principal|con más)|etiqueta (más|mas)/,
    ],
    [
      'leaderboard',
      /clasificaci(ó|o)n|puntuaci(ó|o)n(es)?|r(é|e)cords?|mejor(es)? (puntos|marca|jugador\w*)|qui(é|e)n (va|está|es|lidera|encabeza|gana|lleva|tiene)\b.*(primer|ganando|líder|lider|número uno|cabeza|más puntos|récord|campe)|\blidera\b|encabeza|n(ú|u)mero (uno|1)|primer (puesto|lugar)|ranking|podio|puntaje|máxima puntu|más puntos/,
    ],
    [
      'following',
      /a qui(é|e)n(es)? sigue|a cu(á|a)nt[oa]s.* sigue|siguiendo|seguid[oa]s por|(◇|ella|él) sigue|sigue (◇ )?a (cu(á|a)nt|qui(é|e)n)|gente a la que sigue/,
    ],
    ['followers', /seguidor(es|as?)?|qui(é|e)n(es)? (le )?siguen?|siguen? a ◇|siguen a|le siguen|fans\b|sigue a ◇/],
    [
      'remixes',
      /remezclas ((hay|existen|se han hecho|han hecho) )?(de|tiene) ◇|remix(es)? de ◇|qui(é|e)n (ha |han )?(remezcl|versionad|remix)\w*|(basad|derivad|hech|remezclad)\w* (en|de|a partir de|desde) ◇|a partir de ◇|versiones de ◇|remezclas de|ha(n)? remezclado ◇/,
    ],
    [
      'made',
      /\b(hecho|hizo|hace|creado|creó|creo|publicado|publicó|publico|construido|desarrollado|desarrolló|sacado|lanzado)\b|(apps|juegos|creaciones|cosas|obras|proyectos|aplicaciones|trackers|widgets) (de|por|tiene|ha)/,
    ],
    ['count', /cu(á|a)nt[oa]s\b|n(ú|u)mero (total )?de|cantidad de|total de/],
    ['categories', /categorías?|categorias?|secciones hay/],
  ],
  tagged:
    /(?:etiquetad[oa]s? (?:con|como)?|(?:con|bajo|llevan?|tienen?|usan?) (?:la )?(?:etiqueta|tag)|con el tag|(?:la |el )?(?:etiqueta|tag)\b(?! (?:más|mas|que|es|con|se)\b)|#)\s*(?:de )?["'«“#]*(.+)/,
  tagBefore: null,
  inCategory: /\b(?:en|dentro de|del?|categoría|categoria|para|sobre)\s+(?:la |el |los |las )?(?:categor(?:í|i)a (?:de )?)?["'«“]?(.+)/,
  featured: /destacad[oa]s?|recomendad[oa]s?|escaparate|selecci(ó|o)n(ad[oa]s?)? (de la|del|por)|seleccionad[oa]s|elegid[oa]s por/,
  remixes: /\bremezclas?\b|\bremezclad[oa]s?\b|\bremix(es)?\b/,
  search:
    /\bhay (?:algun[oa]s?|algún|una?|algo)?|\b(?:busco|buscar|busca|búscame|encuentra|encontrar|recomienda|recomiéndame|recomendáis|quiero|necesito|muéstrame|muestrame|enséñame|ensename)\b|\balguna? (?:app|juego|cosa)|\balgo (?:de|sobre|con|para)\b|\bten(?:éis|eis|es) (?:algo|algun\w*)/,
  who: /\bqui(?:é|e)n(?:es)? (?:es|son|diablos es)\b\s*(.*)/,
  about:
    /\b(?:sobre|acerca de|qué es|que es|describe|detalles de|información de|info de|quién (?:hizo|creó|ha hecho|publicó|desarrolló)|cuándo (?:se publicó|salió)|clasificación de|remezclas de|likes tiene|me gusta tiene|(?:puntuación|récord|primero|líder|lidera|gana) (?:en|de))\s+(.+)/,
  maker:
    /qui(é|e)n(es)? (lo |la |ha |han |está )?(hizo|creó|creo|hecho|creado|publicó|publicado|desarrolló|desarrollado|inventó|programó|detrás)|\bautora? de|de qui(é|e)n es|creadora? de|hech[oa] por qui(é|e)n/,
  origin:
    /\boriginal(es)?\b|(es|fue|era) (una? )?(remezcla|remix|copia|versión) de (algo|otr|qué|que|alguien|cuál)|(en|de|a partir de) (qué|cuál|que) .*(basad|derivad|remezclad|hech|parte|viene)\w*|de dónde (sale|viene|procede) ◇/,
  comparison:
    /\bvs\.?\b|\bversus\b|compar(a|ar|ación|ado)\w*|\b(más|menos|mejor|peor|mayor|menor) (\S+ )?(que|o)\b|diferencia entre|cuál de (los|las) dos|◇,? [ou]\b/,
  creatorsInGeneral:
    /\b(creador(es|as?)?|usuari[oa]s?|miembros?|autor(es|as?)?|cuentas|perfiles)\b(?! de)|más seguid[oa]s?\b|más seguidores|quién tiene más/,
  ranking: /\b(más|mayor|mayores|primer[oa]?s?|mejores|top)\b/,
  notPublic:
    /a qui(é|e)n(es)? le(s)? (gust|ha gustado|han gustado)|qui(é|e)n(es)? (ha|han) (jugado|dado me gusta|dado like)|(dinero|ingresos|ganado|descargas|comentarios|reseñas).*◇|◇.*(dinero|ingresos|ganado|descargas|comentarios|reseñas)/,
  notAName:
    /^(sigue\w*|seguidor\w*|siguen|siguiendo|hecho|hizo|hace|cre\w*|publi\w*|apps?|juegos?|aplicaci\w*|cosas?|obras?|proyectos?|personas?|número|cantidad|más|mas|likes?|partidas|gustan?|usuari\w*|perfil|cuenta|desde|unió|nuev\w*|últim\w*|popular\w*|querid\w*|gustad\w*|total|remezcl\w*)$/,
  howItWorks:
    /\bc(ó|o)mo\b(?! se llama)|significa|algoritmo|endpoint|\bapi\b|par(á|a)metro|cabecera|\bhttp|\bjson\b|\bmcp\b|webhook|precios?|\bcuesta|cr(é|e)ditos?|suscripci|\bplan(es)?\b|versi(ó|o)n|l(í|i)mites?|petici(ó|o)n|\blotes?\b|qué es un[ao]? (remezcla|remix|etiqueta|widget|tracker)|funciona|se calcula|\bpuedo\b|\bpuede\b|herramientas|por p(á|a)gina|p(á|a)ginas?\b|campos?\b|c(ó|o)digo|consultas?\b|espero\b|cada cu(á|a)nto|estado\b/,
  followUp:
    /^(y|e|pero|también|entonces|qué hay de|que hay de|qué tal|o)\b|\b(ella|ellos|ellas|él|suyos?|suyas?|esa|ese|esos|esas|su|sus)\b/,
}
