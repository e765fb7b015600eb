/** Columns: English before a noun | English alone | Spanish | German stem | German alone | Japanese. */
export const IDLE_TOPICS: Record<string, string> = {
  games: `
    Asteroid | asteroids | los asteroides | Asteroiden | = | 小惑星
    Penguin | penguins | los pingüinos | Pinguin | Pinguine | ペンギン
    Robot | robots | los robots | Roboter | = | ロボット
    Ninja | ninjas | los ninjas | Ninja | Ninjas | 忍者
    Pirate | pirates | los piratas | Piraten | = | 海賊
    Dragon | dragons | los dragones | Drachen | = | ドラゴン
    Submarine | submarines | los submarinos | U-Boot | U-Boote | 潜水艦
    Rocket | rockets | los cohetes | Raketen | = | ロケット
    Ghost | ghosts | los fantasmas | Geister | = | おばけ
    Slime | slimes | las babosas saltarinas | Schleim | Schleimwesen | スライム
    Dinosaur | dinosaurs | los dinosaurios | Dinosaurier | = | 恐竜
    Hedgehog | hedgehogs | los erizos | Igel | = | ハリネズミ
    Goblin | goblins | los duendes | Kobold | Kobolde | ゴブリン
    Snowball | snowballs | las bolas de nieve | Schneeball | Schneebälle | 雪玉
    Pinball | = | las bolas de pinball | Flipper | Flipperkugeln | ピンボール
    Volcano | volcanoes | los volcanes | Vulkan | Vulkane | 火山
    Bumper Car | bumper cars | los coches de choque | Autoscooter | = | ゴーカート
    Knight | knights | los caballeros | Ritter | = | 騎士
    Octopus | octopuses | los pulpos | Kraken | = | タコ
    Balloon | balloons | los globos | Ballon | Ballons | 風船
    Crossword | crosswords | los crucigramas | Kreuzworträtsel | = | クロスワード
    Sudoku | sudokus | los sudokus | Sudoku | Sudokus | 数独
    Anagram | anagrams | los anagramas | Anagramm | Anagramme | アナグラム
    Chess | = | el ajedrez | Schach | = | チェス
    Riddle | riddles | las adivinanzas | Rätsel | = | なぞなぞ
    Jigsaw | jigsaws | los rompecabezas | Puzzleteil | Puzzleteile | ジグソーパズル
    Domino | dominoes | las fichas de dominó | Domino | Dominosteine | ドミノ
    Cipher | ciphers | los mensajes cifrados | Geheimschrift | Geheimschriften | 暗号
    Tangram | tangrams | el tangram | Tangram | Tangrams | タングラム
    Flag | flags | las banderas | Flaggen | = | 国旗
    Number | numbers | los números | Zahlen | = | 数字
    Lantern | lanterns | los farolillos | Laternen | = | ちょうちん
  `,
  home: `
    Laundry | = | las coladas | Wäsche | = | 洗濯
    Chore | chores | las tareas de casa | Hausarbeits~ | Hausarbeit | 家事
    Grocery | groceries | las compras | Einkaufs~ | Einkäufe | 買い物
    Family Recipe | family recipes | las recetas de familia | Familienrezept | Familienrezepte | わが家のレシピ
    Toy | toys | los juguetes | Spielzeug | = | おもちゃ
    Birthday | birthdays | los cumpleaños | Geburtstags~ | Geburtstage | 誕生日
    Baby Name | baby names | los nombres de bebé | Babynamen | = | 赤ちゃんの名前
    Bedtime | bedtimes | los cuentos para dormir | Schlafenszeit | Schlafenszeiten | おやすみ前
    Moving Day | moving days | las mudanzas | Umzugs~ | Umzüge | 引っ越し
    Toolbox | toolboxes | las herramientas | Werkzeug | = | 工具箱
    Recycling | = | el reciclaje | Recycling | = | 分別
    Wardrobe | wardrobes | los armarios | Kleiderschrank | Kleiderschränke | クローゼット
    Sewing | = | la costura | Näh~ | Näharbeiten | 裁縫
    Knitting | = | el punto | Strick~ | Stricksachen | 編み物
    Lost Sock | lost socks | los calcetines perdidos | Socken | verlorene Socken | 片方の靴下
    Fridge | fridges | las neveras | Kühlschrank | Kühlschränke | 冷蔵庫
    Spring Cleaning | = | la limpieza general | Frühjahrsputz | = | 大掃除
    Grandparents | = | los abuelos | Großeltern | = | おじいちゃんおばあちゃん
    Gift | gifts | los regalos | Geschenk | Geschenke | プレゼント
    Pocket Money | = | la paga semanal | Taschengeld | = | おこづかい
  `,
  work: `
    Meeting | meetings | las reuniones | Meeting | Meetings | 会議
    Deadline | deadlines | los plazos | Abgabetermin | Abgabetermine | 締め切り
    Invoice | invoices | las facturas | Rechnungs~ | Rechnungen | 請求書
    Inbox | inboxes | los correos pendientes | Posteingangs~ | Posteingänge | 受信箱
    Pomodoro | pomodoros | los pomodoros | Pomodoro | Pomodoros | ポモドーロ
    Side Project | side projects | los proyectos personales | Nebenprojekt | Nebenprojekte | 個人開発
    Freelance | freelance work | el trabajo autónomo | Freelance | Freelance-Aufträge | フリーランス
    Commute | commutes | los trayectos al trabajo | Pendel~ | Arbeitswege | 通勤
    Stand-up | stand-ups | las reuniones de pie | Stand-up | Stand-ups | 朝会
    Savings | = | los ahorros | Spar~ | Ersparnisse | 貯金
    Receipt | receipts | los tiques | Kassenbon | Kassenbons | レシート
    Habit | habits | los hábitos | Gewohnheits~ | Gewohnheiten | 習慣
    Idea | ideas | las ideas | Ideen | = | アイデア
    Subscription | subscriptions | las suscripciones | Abo | Abos | サブスク
    Overtime | = | las horas extra | Überstunden | = | 残業
    Job Hunt | job hunting | las ofertas de empleo | Jobsuche | Bewerbungen | 転職活動
    Lunch Break | lunch breaks | las pausas para comer | Mittagspausen | = | 昼休み
    Desk | desks | los escritorios | Schreibtisch | Schreibtische | デスク
    Tax Return | tax returns | las declaraciones de la renta | Steuer | Steuererklärungen | 確定申告
  `,
  calm: `
    Breathing | = | la respiración | Atem~ | Atemübungen | 呼吸
    Gratitude | = | la gratitud | Dankbarkeits~ | Dankbarkeit | 感謝
    Mood | moods | los estados de ánimo | Stimmungs~ | Stimmungen | 気分
    Meditation | = | la meditación | Meditations~ | Meditationen | 瞑想
    Candlelight | = | las velas | Kerzen | = | キャンドル
    Forest | forests | los bosques | Wald | Wälder | 森
    Ocean | ocean waves | las olas | Meeres~ | Meereswellen | 波
    Daydream | daydreams | los ensueños | Tagtraum | Tagträume | 空想
    Tea Ceremony | tea ceremonies | las ceremonias del té | Teezeremonie | Teezeremonien | 茶道
    Silence | = | el silencio | Stille | = | 静けさ
    Nap | naps | las siestas | Nickerchen | = | 昼寝
    Bath | baths | los baños calientes | Badewannen | Schaumbäder | お風呂
    Kindness | = | los gestos amables | Freundlichkeits~ | Freundlichkeit | やさしさ
    Sunday | Sundays | los domingos | Sonntags~ | Sonntage | 日曜日
    Campfire | campfires | las hogueras | Lagerfeuer | = | 焚き火
    Slow Morning | slow mornings | las mañanas tranquilas | Morgen | ruhige Morgenstunden | ゆっくりした朝
    Sleep | = | el sueño | Schlaf | = | 睡眠
    Pebble | pebbles | los guijarros | Kieselstein | Kieselsteine | 小石
    Cabin | cabins | las cabañas | Hütten | = | 山荘
  `,
}
