/** Columns: English before a noun | English alone | Spanish | German stem | German alone | Japanese. */
export const MAKING_TOPICS: Record<string, string> = {
  food: `
    Sourdough | = | la masa madre | Sauerteig | = | サワードウ
    Ramen | = | el ramen | Ramen | = | ラーメン
    Tea | = | el té | Tee | = | お茶
    Coffee | = | el café | Kaffee | = | コーヒー
    Pickle | pickles | los encurtidos | Essiggurken | = | 漬物
    Curry | curries | el curry | Curry | = | カレー
    Dumpling | dumplings | las empanadillas | Teigtaschen | = | 餃子
    Cheese | = | los quesos | Käse | = | チーズ
    Soup | soups | las sopas | Suppen | = | スープ
    Pancake | pancakes | las tortitas | Pfannkuchen | = | パンケーキ
    Olive Oil | = | el aceite de oliva | Olivenöl | = | オリーブオイル
    Chili | chilies | las guindillas | Chili | Chilis | 唐辛子
    Lunchbox | lunchboxes | las fiambreras | Brotdosen | = | お弁当
    Leftovers | = | las sobras | Reste | = | 残りもの
    Spice | spices | las especias | Gewürz | Gewürze | スパイス
    Chocolate | = | el chocolate | Schokoladen | Schokolade | チョコレート
    Kombucha | = | la kombucha | Kombucha | = | コンブチャ
    Pizza | pizzas | las pizzas | Pizza | Pizzas | ピザ
    Jam | jams | las mermeladas | Marmeladen | = | ジャム
    Breakfast | breakfasts | los desayunos | Frühstücks~ | Frühstück | 朝ごはん
  `,
  music: `
    Ukulele | ukuleles | los ukeleles | Ukulelen | = | ウクレレ
    Piano | pianos | los pianos | Klavier | Klaviere | ピアノ
    Drum | drums | los tambores | Trommel | Trommeln | ドラム
    Vinyl | vinyl records | los vinilos | Schallplatten | = | レコード
    Choir | choirs | los coros | Chor | Chöre | 合唱
    Guitar | guitars | las guitarras | Gitarren | = | ギター
    Chord | chords | los acordes | Akkord | Akkorde | コード進行
    Synth | synths | los sintetizadores | Synthesizer | = | シンセ
    Lullaby | lullabies | las nanas | Wiegenlieder | = | 子守唄
    Jazz | = | el jazz | Jazz | = | ジャズ
    Violin | violins | los violines | Geigen | = | バイオリン
    Karaoke | = | el karaoke | Karaoke | = | カラオケ
    Playlist | playlists | las listas de canciones | Playlist | Playlists | プレイリスト
    Birdsong | = | los cantos de pájaros | Vogelstimmen | = | 鳥のさえずり
    Harmonica | harmonicas | las armónicas | Mundharmonika | Mundharmonikas | ハーモニカ
    Concert | concerts | los conciertos | Konzert | Konzerte | ライブ
    Mixtape | mixtapes | los casetes | Mixtape | Mixtapes | ミックステープ
    Cello | cellos | los violonchelos | Cello | Cellos | チェロ
    Busking | = | la música callejera | Straßenmusik | = | 路上ライブ
    Opera | operas | las óperas | Opern | = | オペラ
  `,
  art: `
    Sketch | sketches | los bocetos | Skizzen | = | スケッチ
    Watercolour | watercolours | las acuarelas | Aquarell | Aquarelle | 水彩
    Origami | = | el origami | Origami | = | 折り紙
    Pixel Art | = | el pixel art | Pixelkunst | = | ドット絵
    Ceramics | = | la cerámica | Keramik | = | 陶芸
    Palette | palettes | las paletas de color | Farbpaletten | = | 配色
    Tattoo | tattoos | los tatuajes | Tattoo | Tattoos | タトゥー
    Street Art | = | el arte urbano | Streetart | = | ストリートアート
    Calligraphy | = | la caligrafía | Kalligrafie | = | 書道
    Doodle | doodles | los garabatos | Kritzel~ | Kritzeleien | 落書き
    Portrait | portraits | los retratos | Porträt | Porträts | 似顔絵
    Film Camera | film cameras | las cámaras analógicas | Analogkamera | Analogkameras | フィルムカメラ
    Mosaic | mosaics | los mosaicos | Mosaik | Mosaike | モザイク
    Embroidery | = | los bordados | Stick~ | Stickereien | 刺繍
    Collage | collages | los collages | Collagen | = | コラージュ
    Linocut | linocuts | los linograbados | Linolschnitt | Linolschnitte | リノカット
    Mural | murals | los murales | Wandbild | Wandbilder | 壁画
    Crochet | = | el ganchillo | Häkel~ | Häkelarbeiten | かぎ針編み
    Stained Glass | = | las vidrieras | Glasmalerei | Glasmalereien | ステンドグラス
  `,
  learning: `
    Kanji | = | el kanji | Kanji | = | 漢字
    Vocabulary | = | el vocabulario | Vokabel | Vokabeln | 単語
    Fraction | fractions | las fracciones | Bruchrechnen | = | 分数
    Algebra | = | el álgebra | Algebra | = | 代数
    Element | chemical elements | los elementos químicos | Elemente | chemische Elemente | 元素
    Capital City | capital cities | las capitales del mundo | Hauptstädte | = | 世界の首都
    History | = | la historia | Geschichts~ | Geschichte | 歴史
    Anatomy | = | la anatomía | Anatomie | = | からだのしくみ
    Grammar | = | la gramática | Grammatik | = | 文法
    Morse Code | = | el código morse | Morsecode | = | モールス信号
    Sign Language | = | la lengua de signos | Gebärden | Gebärdensprache | 手話
    Times Table | times tables | las tablas de multiplicar | Einmaleins | = | 九九
    Geometry | = | la geometría | Geometrie | = | 図形
    Coding | = | la programación | Programmier~ | Programmieren | プログラミング
    Physics | = | la física | Physik | = | 物理
    Philosophy | = | la filosofía | Philosophie | = | 哲学
    Etymology | = | la etimología | Wortherkunft | = | 語源
    Spelling | = | la ortografía | Rechtschreib~ | Rechtschreibung | つづり
    Dialect | dialects | los dialectos | Dialekt | Dialekte | 方言
    Idiom | idioms | los modismos | Redensarten | = | 慣用句
  `,
  stories: `
    Haiku | = | los haikus | Haiku | Haikus | 俳句
    Novel | novels | las novelas | Roman | Romane | 長編小説
    Poetry | = | la poesía | Lyrik | = | 詩
    Bookshelf | bookshelves | las estanterías | Bücherregal | Bücherregale | 本棚
    Fairy Tale | fairy tales | los cuentos de hadas | Märchen | = | おとぎ話
    Letter | letters | las cartas | Brief | Briefe | 手紙
    Whodunit | whodunits | las novelas policiacas | Krimi | Krimis | 推理小説
    Comic | comics | los tebeos | Comic | Comics | 漫画
    Memoir | memoirs | las memorias | Memoiren | = | 自分史
    Short Story | short stories | los relatos | Kurzgeschichten | = | 短編小説
    Screenplay | screenplays | los guiones | Drehbuch | Drehbücher | 脚本
    Myth | myths | los mitos | Mythen | = | 神話
    Ghost Story | ghost stories | las historias de fantasmas | Gruselgeschichten | = | 怪談
    Quote | quotes | las citas célebres | Zitate | = | 名言
    Zine | zines | los fanzines | Zine | Zines | ZINE
    Book Club | book clubs | los clubes de lectura | Lesekreis | Lesekreise | 読書会
    Plot Twist | plot twists | los giros de guion | Wendepunkt | Wendepunkte | どんでん返し
    Limerick | limericks | las quintillas | Limerick | Limericks | 川柳
  `,
}
