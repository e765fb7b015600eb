/** Texts that are dear for careless code. Each fills about `length` characters. */
export type MakeText = (length: number) => string

const filled =
  (piece: string, end = ''): MakeText =>
  (length) =>
    piece.repeat(Math.max(1, Math.floor((length - end.length) / piece.length))) + end

/** In headers and addresses: no character needs more than one byte, so they can be as long as a head allows. */
export const ASCII_TEXTS: Readonly<Record<string, MakeText>> = {
  brackets: filled('[{'),
  'letters and a mark': filled('a', '!'),
  digits: filled('0'),
  hyphens: filled('-'),
  spaces: filled(' ', '!'),
  dots: filled('.'),
  slashes: filled('/'),
  'equals signs': filled('='),
  commas: filled(','),
  'weighted values': filled('a;q=0.1,'),
  quotes: filled('"'),
  backslashes: filled('\\'),
  'percent signs': filled('%'),
  'escaped nothing': filled('%00'),
  'short words': (length) =>
    Array.from({ length: Math.ceil(length / 4) }, (_, n) => (n + 46_656).toString(36).slice(-3))
      .join(' ')
      .slice(0, length),
  // Of words that creations use, with two letters changed over: each is looked for as several others.
  'misspelled words': filled(
    'hbait wtaer tmier graden pzuzle msuic sotry rceipe bdugte ftiness palnt sapce dargon cehss qiuz selep tarvel cfofee ',
  ),
  'names and values': filled('a=1&'),
  'language tags': filled('de-x-a,'),
}

export const ALL_TEXTS: Readonly<Record<string, MakeText>> = {
  ...ASCII_TEXTS,
  'combining marks': filled('\u0301'),
  'letters with marks': filled('a\u0301\u0323'),
  ligatures: filled('\ufdfa'),
  emoji: filled('👩‍👩‍👧'),
  'halves of characters': filled('\ud83d'),
  'Han characters': (length) => Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 8000))).join(''),
  Thai: filled('กำ'),
  'control characters': filled('\u0000'),
  'line ends': filled('\r\n'),
  // Each unit sign becomes three letters, so the pattern that refuses questions sees twice as many.
  'beginnings of a refused question': (length) => 'list-a-'.repeat(length / 14) + '\u33aa'.repeat(length / 2),
  'reversed text': filled('\u202e'),
}
