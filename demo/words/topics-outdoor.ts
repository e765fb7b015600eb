/** Columns: English before a noun | English alone | Spanish | German stem | German alone | Japanese. */
export const OUTDOOR_TOPICS: Record<string, string> = {
  garden: `
    Houseplant | houseplants | las plantas de interior | Zimmerpflanzen | = | 観葉植物
    Tomato | tomatoes | los tomates | Tomaten | = | トマト
    Balcony | balconies | los balcones | Balkon | Balkone | ベランダ菜園
    Seed | seeds | las semillas | Samen | = | 種まき
    Compost | = | el compost | Kompost | = | 堆肥
    Bonsai | = | los bonsáis | Bonsai | Bonsais | 盆栽
    Mushroom | mushrooms | las setas | Pilz | Pilze | きのこ
    Rose | roses | las rosas | Rosen | = | バラ
    Herb | herbs | las hierbas aromáticas | Kräuter | = | ハーブ
    Moss | = | el musgo | Moos | Moose | 苔
    Orchard | orchards | los árboles frutales | Obstgarten | Obstgärten | 果樹園
    Bee | bees | las abejas | Bienen | = | ミツバチ
    Butterfly | butterflies | las mariposas | Schmetterlings~ | Schmetterlinge | 蝶
    Cactus | cacti | los cactus | Kakteen | = | サボテン
    Fern | ferns | los helechos | Farn | Farne | シダ
    Wildflower | wildflowers | las flores silvestres | Wildblumen | = | 野の花
    Pumpkin | pumpkins | las calabazas | Kürbis | Kürbisse | かぼちゃ
    Tulip | tulips | los tulipanes | Tulpen | = | チューリップ
    Earthworm | earthworms | las lombrices | Regenwurm | Regenwürmer | ミミズ
    Sunflower | sunflowers | los girasoles | Sonnenblumen | = | ひまわり
  `,
  fitness: `
    Running | = | las carreras | Lauf~ | Laufen | ランニング
    Yoga | = | el yoga | Yoga | = | ヨガ
    Climbing | = | la escalada | Kletter~ | Klettern | クライミング
    Swimming | = | la natación | Schwimm~ | Schwimmen | 水泳
    Cycling | = | el ciclismo | Rad~ | Radfahren | サイクリング
    Push-up | push-ups | las flexiones | Liegestütz | Liegestütze | 腕立て伏せ
    Stretching | = | los estiramientos | Dehn~ | Dehnübungen | ストレッチ
    Rowing | = | el remo | Ruder~ | Rudern | ボート
    Hiking | = | el senderismo | Wander~ | Wandern | ハイキング
    Squat | squats | las sentadillas | Kniebeugen | = | スクワット
    Jump Rope | = | la comba | Seilspring~ | Seilspringen | なわとび
    Tennis | = | el tenis | Tennis | = | テニス
    Football | = | el fútbol | Fußball | = | サッカー
    Marathon | marathons | los maratones | Marathon | Marathons | マラソン
    Walking | = | las caminatas | Spazier~ | Spaziergänge | 散歩
    Dance | = | el baile | Tanz~ | Tanzen | ダンス
    Kettlebell | kettlebells | las pesas rusas | Kettlebell | Kettlebells | ケトルベル
    Handstand | handstands | los pinos | Handstand | Handstände | 逆立ち
    Badminton | = | el bádminton | Badminton | = | バドミントン
    Table Tennis | = | el tenis de mesa | Tischtennis | = | 卓球
  `,
  travel: `
    Night Train | night trains | los trenes nocturnos | Nachtzug | Nachtzüge | 夜行列車
    Ferry | ferries | los transbordadores | Fähren | = | フェリー
    Backpack | backpacks | las mochilas | Rucksack | Rucksäcke | バックパック
    Road Trip | road trips | los viajes por carretera | Roadtrip | Roadtrips | ドライブ旅行
    Lighthouse | lighthouses | los faros | Leuchtturm | Leuchttürme | 灯台
    Hostel | hostels | los albergues | Hostel | Hostels | ゲストハウス
    Passport Stamp | passport stamps | los sellos de pasaporte | Passstempel | = | パスポートのスタンプ
    Bridge | bridges | los puentes | Brücken | = | 橋
    Tram | trams | los tranvías | Straßenbahn | Straßenbahnen | 路面電車
    Airport | airports | los aeropuertos | Flughafen | Flughäfen | 空港
    Campsite | campsites | los campings | Campingplatz | Campingplätze | キャンプ場
    Island | islands | las islas | Insel | Inseln | 離島
    Street Food | = | la comida callejera | Streetfood | = | 屋台
    Castle | castles | los castillos | Burgen | = | お城
    Mountain Hut | mountain huts | los refugios de montaña | Berghütten | = | 山小屋
    Beach | beaches | las playas | Strand | Strände | ビーチ
    Bike Tour | bike tours | las rutas en bici | Radtouren | = | 自転車旅
    Postcard | postcards | las postales | Postkarten | = | 絵はがき
    Old Map | old maps | los mapas antiguos | Landkarten | alte Landkarten | 古地図
    Railway Station | railway stations | las estaciones de tren | Bahnhof | Bahnhöfe | 駅
    Hot Spring | hot springs | las aguas termales | Thermalquellen | = | 温泉
  `,
  sky: `
    Moon | moonlight | las lunas llenas | Mond | Mondphasen | 月
    Comet | comets | los cometas | Kometen | = | 彗星
    Aurora | auroras | las auroras boreales | Polarlicht | Polarlichter | オーロラ
    Thunderstorm | thunderstorms | las tormentas | Gewitter | = | 雷雨
    Rain | = | la lluvia | Regen | = | 雨
    Sunset | sunsets | las puestas de sol | Sonnenuntergangs~ | Sonnenuntergänge | 夕焼け
    Meteor Shower | meteor showers | las lluvias de estrellas | Sternschnuppen | = | 流星群
    Cloud | clouds | las nubes | Wolken | = | 雲
    Wind | = | el viento | Wind | = | 風
    Eclipse | eclipses | los eclipses | Finsternis | Finsternisse | 日食
    Snow | = | la nieve | Schnee | = | 雪
    Constellation | constellations | las constelaciones | Sternbild | Sternbilder | 星座
    Satellite | satellites | los satélites | Satelliten | = | 人工衛星
    Tide | tides | las mareas | Gezeiten | = | 潮
    Rainbow | rainbows | los arcoíris | Regenbogen | Regenbögen | 虹
    Fog | = | la niebla | Nebel | = | 霧
    Planet | planets | los planetas | Planeten | = | 惑星
    Equinox | equinoxes | los equinoccios | Tagundnachtgleichen | = | 春分と秋分
    Hailstone | hailstones | el granizo | Hagel | = | ひょう
  `,
  pets: `
    Cat | cats | los gatos | Katzen | = | 猫
    Puppy | puppies | los cachorros | Welpen | = | 子犬
    Greyhound | greyhounds | los galgos | Windhund | Windhunde | グレイハウンド
    Hamster | hamsters | los hámsteres | Hamster | = | ハムスター
    Parrot | parrots | los loros | Papageien | = | オウム
    Goldfish | = | los peces de colores | Goldfisch | Goldfische | 金魚
    Tortoise | tortoises | las tortugas | Schildkröten | = | カメ
    Rabbit | rabbits | los conejos | Kaninchen | = | うさぎ
    Guinea Pig | guinea pigs | las cobayas | Meerschweinchen | = | モルモット
    Hen | hens | las gallinas | Hühner | = | にわとり
    Pony | ponies | los ponis | Pony | Ponys | ポニー
    Gecko | geckos | los gecos | Gecko | Geckos | ヤモリ
    Dachshund | dachshunds | los perros salchicha | Dackel | = | ダックスフント
    Kitten | kittens | los gatitos | Kätzchen | = | 子猫
    Ferret | ferrets | los hurones | Frettchen | = | フェレット
    Axolotl | axolotls | los ajolotes | Axolotl | Axolotl | ウーパールーパー
    Aquarium | aquariums | los acuarios | Aquarium | Aquarien | アクアリウム
    Canary | canaries | los canarios | Kanarienvogel | Kanarienvögel | カナリア
    Shiba | shibas | los shibas | Shiba | Shibas | 柴犬
    Donkey | donkeys | los burros | Esel | = | ロバ
  `,
}
