import { plainLetters } from '../slugs.js'
import type { Language } from './table.js'

/** How people of one culture are called; `佐藤/sato` gives the spelling in a handle where letters cannot be derived. */
export interface Culture {
  language: Language
  familyFirst: boolean
  given: readonly Name[]
  family: readonly Name[]
  cities: readonly string[]
}

export interface Name {
  shown: string
  latin: string
}

export const CULTURES: readonly Culture[] = [
  culture(
    'en',
    'Maya Oliver Hazel Theo Imogen Felix Ruby Callum Nora Jasper Isla Wesley Tessa Elliot Margot Dexter Ivy Rowan Phoebe Silas Bridget Amos',
    'Whitlock Hargreave Bennett Ashdown Callahan Prescott Lockwood Fairchild Mercer Thorne Holloway Abbott Kendrick Marlowe Pryce Sutton Barlow Winslow Gallagher Draper',
    'Bristol, Leeds, Portland, Galway, Halifax, Wellington',
  ),
  culture(
    'es',
    'Lucía Mateo Carmen Álvaro Sofía Joaquín Valentina Andrés Inés Rodrigo Paloma Emilio Marisol Tomás Ximena Gonzalo Pilar Ramiro Abril Ignacio Nuria Santiago',
    'Navarro Ibáñez Quintero Salazar Montero Aguilar Cisneros Peralta Villalobos Serrano Escobar Zamora Carrasco Figueroa Luque Benavides Arriaga Pizarro Castaño Robledo',
    'Sevilla, Bogotá, Valencia, Oaxaca, Rosario, Zaragoza',
  ),
  culture(
    'de',
    'Lena Jonas Greta Moritz Frieda Anton Klara Emil Hannah Konrad Mathilda Lukas Annika Till Johanna Florian Svenja Matthias Jule Hanno Käthe Jörg',
    'Brandt Vogelsang Kirchner Lindemann Hofstätter Baumgartner Seidel Krüger Eichhorn Wegener Steinbach Falkenberg Reuter Hölzl Ackermann Thalbach Winkler Petersen Möller Schreiber',
    'Leipzig, Graz, Bremen, Basel, Freiburg, Weimar',
  ),
  culture(
    'ja',
    '健二/kenji 葵/aoi 美咲/misaki 大輔/daisuke 陽菜/hina 翔太/shota 結衣/yui 直樹/naoki さくら/sakura 蓮/ren 千尋/chihiro 拓也/takuya 彩/aya 悠/yu 真央/mao 誠/makoto 杏/an 光/hikaru 遥/haruka 修/osamu 紬/tsumugi 湊/minato',
    '佐藤/sato 高橋/takahashi 中村/nakamura 小林/kobayashi 藤井/fujii 石川/ishikawa 森田/morita 松本/matsumoto 青木/aoki 上野/ueno 西村/nishimura 原田/harada 宮崎/miyazaki 大野/ono 久保/kubo 川口/kawaguchi 三浦/miura 早川/hayakawa 桜井/sakurai 野口/noguchi',
    '京都, 札幌, 福岡, 金沢, 仙台, 松本',
    true,
  ),
  culture(
    'en',
    'Camille Antoine Élodie Baptiste Manon Lucien Solène Thibault Margaux Rémi Océane Gaspard Clémence Yann',
    'Lefèvre Moreau Girard Chevalier Dubois Fontaine Rousseau Garnier Perrot Delacroix Marchand Vasseur Besson Aubert',
    'Lyon, Nantes, Liège, Lausanne',
  ),
  culture(
    'en',
    'Giulia Matteo Chiara Lorenzo Ginevra Davide Serena Niccolò Beatrice Fabrizio Elisa Tommaso Ornella Ruggero',
    'Moretti Ferrara Bellini Galli Santoro Marchetti Rinaldi Colombo Fabbri Lombardi Pellegrini Vitale Caruso Donati',
    'Turin, Bologna, Palermo, Trieste',
  ),
  culture(
    'en',
    'Beatriz Thiago Larissa Caio Mariana Otávio Joana Rui Letícia Duarte Luana Vasco Helena Gil',
    'Carvalho Ferreira Azevedo Monteiro Teixeira Barros Cardoso Nogueira Pacheco Tavares Queiroz Leitão Furtado Brandão',
    'Porto, Recife, Coimbra, Curitiba',
  ),
  culture(
    'en',
    'Adaeze Chinedu Folake Tunde Ngozi Emeka Yetunde Obinna Amara Segun Ifeoma Kelechi Simisola Uche',
    'Okafor Adeyemi Balogun Eze Nwosu Ogunleye Abiola Chukwu Danjuma Okonkwo Adebayo Ibekwe Onyango Olatunji',
    'Lagos, Abuja, Enugu, Ibadan',
  ),
  culture(
    'en',
    'Wanjiru Kamau Akinyi Baraka Zawadi Juma Nyambura Otieno Makena Jabali Esi Kwame Abena Kofi',
    'Mwangi Odhiambo Njoroge Kariuki Wafula Kimani Achieng Mensah Owusu Boateng Asante Amoah Mutua Chege',
    'Nairobi, Mombasa, Accra, Kumasi',
  ),
  culture(
    'en',
    'Ananya Rohan Priya Arjun Kavya Vikram Meera Aditya Lakshmi Nikhil Ishani Dev Tara Siddharth',
    'Iyer Banerjee Chopra Deshpande Menon Kulkarni Rao Bhatt Nair Mukherjee Sethi Joshi Pillai Kapoor',
    'Pune, Kochi, Kolkata, Bengaluru',
  ),
  culture(
    'en',
    'Layla Omar Yasmin Karim Nadia Tariq Salma Hadi Rania Youssef Dalia Samir Zeina Idris',
    'Haddad Mansour Khoury Farouk Nasser Saleh Benali Kassem Darwish Rahmani Sabbagh Zidane Najjar Halabi',
    'Amman, Beirut, Tunis, Casablanca',
  ),
  culture(
    'en',
    '민준/minjun 서연/seoyeon 지훈/jihoon 하은/haeun 도윤/doyun 수빈/subin 현우/hyunwoo 유진/yujin 태오/taeo 나래/narae 은지/eunji 시우/siwoo',
    '김/kim 박/park 이/lee 정/jung 최/choi 강/kang 윤/yoon 한/han 임/lim 오/oh 서/seo 신/shin',
    'Busan, Daegu, Jeju, Seoul',
    true,
  ),
  culture(
    'en',
    'Xinyi Haoran Meilin Junjie Yuxuan Zihan Ruolan Weiming Siyu Boyang Qiaoyu Jiahao',
    'Zhang Wei Chen Huang Zhao Lin Deng Xu Tang Luo Fang Zhou',
    'Chengdu, Taipei, Hangzhou, Xiamen',
  ),
  culture(
    'en',
    'Zofia Kacper Agnieszka Wojciech Oksana Taras Halina Mykola Ewa Stanisław Darya Bohdan Milena Ondřej',
    'Kowalska Zieliński Wiśniewski Shevchenko Kravets Nowak Bondar Jankowska Melnyk Dąbrowski Novotný Havel Lysenko Sikora',
    'Kraków, Lviv, Brno, Wrocław',
  ),
  culture(
    'en',
    'Elif Emre Zeynep Kerem Defne Barış Nihan Onur Şirin Levent Aylin Tolga',
    'Yılmaz Demir Aydın Şahin Kaya Öztürk Arslan Koç Erdem Tekin Güneş Çelik',
    'Izmir, Ankara, Bursa, Eskişehir',
  ),
  culture(
    'en',
    'Astrid Henrik Freja Mikkel Saga Aksel Sólveig Eero Tove Lasse Aino Bjarne Ingrid Sander',
    'Lindqvist Halvorsen Nyström Virtanen Dahl Sørensen Berglund Koskinen Ekström Thorsen Holm Jónsdóttir Aalto Vestergaard',
    'Bergen, Aarhus, Tampere, Malmö',
  ),
  culture(
    'en',
    'Linh Quang Thảo Minh Ngọc Khánh Hương Dũng Mai Tuấn Trâm Bảo',
    'Nguyen Tran Pham Le Hoang Vo Bui Dang Huynh Duong Ly Ngo',
    'Hanoi, Hue, Da Nang, Can Tho',
  ),
  culture(
    'en',
    'Kalea Tane Marama Keoni Leilani Wiremu Dewi Bayu Putri Agung Ayu Rangi',
    'Kahale Ngata Parata Kealoha Tamihana Wijaya Santoso Pranoto Kusuma Hartono Mahoe Lestari',
    'Hilo, Rotorua, Yogyakarta, Bandung',
  ),
]

function culture(language: Language, given: string, family: string, cities: string, familyFirst = false): Culture {
  return { language, familyFirst, given: names(given, language), family: names(family, language), cities: cities.split(', ') }
}

function names(list: string, language: Language): Name[] {
  return list.split(' ').map((entry) => {
    const [shown = '', latin] = entry.split('/')
    return { shown, latin: latin ?? plainLetters(shown, language).replace(/[^a-z]/g, '') }
  })
}
