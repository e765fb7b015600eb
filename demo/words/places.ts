import { LANGUAGES, type Language, rows } from './table.js'

/** Columns: English | Spanish | German | Japanese. */
export type Place = Record<Language, string>

/** Places by the sea, where tides and ferries make sense. */
export const COASTS: readonly Place[] = places(`
  Cádiz | = | = | カディス
  Lisbon | Lisboa | Lissabon | リスボン
  Galway | = | = | ゴールウェイ
  Brest | = | = | ブレスト
  Bergen | = | = | ベルゲン
  Kiel | = | = | キール
  Naples | Nápoles | Neapel | ナポリ
  Izmir | Esmirna | Izmir | イズミル
  Valparaíso | = | = | バルパライソ
  Halifax | = | = | ハリファックス
  Hakodate | = | = | 函館
  Busan | = | = | 釜山
  Zanzibar | Zanzíbar | Sansibar | ザンジバル
  Mombasa | = | = | モンバサ
  Wellington | = | = | ウェリントン
  Reykjavík | Reikiavik | Reykjavík | レイキャビク
  Dakar | = | = | ダカール
  Chennai | = | = | チェンナイ
  Da Nang | = | = | ダナン
  Split | = | = | スプリト
  Gdańsk | = | Danzig | グダニスク
  Odesa | = | = | オデーサ
  Santander | = | = | サンタンデール
  Aarhus | = | = | オーフス
  Nagasaki | = | = | 長崎
  Salvador | = | = | サルバドール
  Cartagena | = | = | カルタヘナ
  Tallinn | Tallin | Tallinn | タリン
  Marseille | Marsella | Marseille | マルセイユ
  Brighton | = | = | ブライトン
  Hamburg | Hamburgo | Hamburg | ハンブルク
  Kobe | = | = | 神戸
  Vancouver | = | = | バンクーバー
  Málaga | = | = | マラガ
`)

/** Places with streets, trams and neighbours. */
export const CITIES: readonly Place[] = places(`
  Berlin | Berlín | Berlin | ベルリン
  Vienna | Viena | Wien | ウィーン
  Madrid | = | = | マドリード
  Seville | Sevilla | Sevilla | セビリア
  Kyoto | Kioto | Kyoto | 京都
  Osaka | = | = | 大阪
  Tokyo | Tokio | Tokio | 東京
  Mexico City | Ciudad de México | Mexiko-Stadt | メキシコシティ
  Bogotá | = | = | ボゴタ
  Buenos Aires | = | = | ブエノスアイレス
  Lima | = | = | リマ
  Nairobi | = | = | ナイロビ
  Lagos | = | = | ラゴス
  Accra | Acra | Accra | アクラ
  Cairo | El Cairo | Kairo | カイロ
  Istanbul | Estambul | Istanbul | イスタンブール
  Athens | Atenas | Athen | アテネ
  Warsaw | Varsovia | Warschau | ワルシャワ
  Prague | Praga | Prag | プラハ
  Leipzig | = | = | ライプツィヒ
  Cologne | Colonia | Köln | ケルン
  Zurich | Zúrich | Zürich | チューリッヒ
  Paris | París | Paris | パリ
  Lyon | = | = | リヨン
  Milan | Milán | Mailand | ミラノ
  Turin | Turín | Turin | トリノ
  Porto | Oporto | Porto | ポルト
  London | Londres | London | ロンドン
  Glasgow | = | = | グラスゴー
  Dublin | Dublín | Dublin | ダブリン
  Stockholm | Estocolmo | Stockholm | ストックホルム
  Helsinki | = | = | ヘルシンキ
  Copenhagen | Copenhague | Kopenhagen | コペンハーゲン
  Kyiv | Kiev | Kyjiw | キーウ
  Tbilisi | Tiflis | Tiflis | トビリシ
  Mumbai | Bombay | Mumbai | ムンバイ
  Delhi | = | = | デリー
  Hanoi | Hanói | Hanoi | ハノイ
  Seoul | Seúl | Seoul | ソウル
  Taipei | Taipéi | Taipeh | 台北
  Singapore | Singapur | Singapur | シンガポール
  Jakarta | Yakarta | Jakarta | ジャカルタ
  Manila | = | = | マニラ
  Melbourne | = | = | メルボルン
  Toronto | = | = | トロント
  Montreal | = | = | モントリオール
  Chicago | = | = | シカゴ
  Portland | = | = | ポートランド
  New Orleans | Nueva Orleans | New Orleans | ニューオーリンズ
  São Paulo | = | = | サンパウロ
  Casablanca | = | = | カサブランカ
  Amman | Amán | Amman | アンマン
  Sapporo | = | = | 札幌
  Bristol | = | = | ブリストル
  Zaragoza | = | Saragossa | サラゴサ
  Bremen | = | = | ブレーメン
`)

function places(table: string): Place[] {
  return rows(table, LANGUAGES.length).map(([en = '', es = '', de = '', ja = '']) => ({ en, es, de, ja }))
}
