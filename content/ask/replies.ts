import type { Language } from '../../src/ask/languages.js'
import type { RefusalReason } from '../../src/ask/parse/guard.js'

/** What is said around the facts, in each language. No facts stand here. */
export interface Replies {
  unknown: string
  /** Nobody and nothing has this name. `name` is as it was asked, and said back only when it is a plain name. */
  noCreator: string
  noCreation: string
  nothingFound: string
  refusal: Record<RefusalReason, string>
}

export const REPLIES: Record<Language, Replies> = {
  en: {
    unknown: 'I do not know: nothing public here answers that.',
    noCreator: 'No creator has that handle.',
    noCreation: 'No public creation has that address or title.',
    nothingFound: 'Nothing public matches that.',
    refusal: {
      rules: 'I cannot do that: I only answer questions from public facts.',
      credentials: 'There is nothing of that kind to give.',
      private: 'I cannot help with that: only public data is here.',
      change: 'I cannot do that for you.',
    },
  },
  es: {
    unknown: 'No lo sé: nada público responde a eso.',
    noCreator: 'Ningún creador tiene ese handle.',
    noCreation: 'Ninguna creación pública tiene esa dirección o ese título.',
    nothingFound: 'Nada público coincide con eso.',
    refusal: {
      rules: 'No puedo hacer eso: solo respondo preguntas con datos públicos.',
      credentials: 'No hay nada de eso que entregar.',
      private: 'No puedo ayudar con eso: aquí solo hay datos públicos.',
      change: 'No puedo hacer eso por ti.',
    },
  },
  de: {
    unknown: 'Das weiß ich nicht: Nichts Öffentliches beantwortet das.',
    noCreator: 'Dieses Handle hat niemand.',
    noCreation: 'Keine öffentliche Kreation hat diese Adresse oder diesen Titel.',
    nothingFound: 'Nichts Öffentliches passt dazu.',
    refusal: {
      rules: 'Das kann ich nicht: Ich beantworte nur Fragen aus öffentlichen Fakten.',
      credentials: 'So etwas gibt es hier nicht.',
      private: 'Dabei kann ich nicht helfen: Hier gibt es nur öffentliche Daten.',
      change: 'Das kann ich nicht für dich tun.',
    },
  },
  ja: {
    unknown: 'わかりません。それに答える公開情報はありません。',
    noCreator: 'そのハンドルのクリエイターはいません。',
    noCreation: 'そのアドレスやタイトルの公開作品はありません。',
    nothingFound: '当てはまる公開作品はありません。',
    refusal: {
      rules: 'それはできません。公開された事実からの質問にだけ答えます。',
      credentials: 'お渡しできるものはありません。',
      private: 'それにはお答えできません。ここにあるのは公開データだけです。',
      change: '代わりに行うことはできません。',
    },
  },
}
